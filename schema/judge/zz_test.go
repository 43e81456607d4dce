package judge
import ("testing";"fmt";"time")
func TestZ(t *testing.T){
 s:=time.Now(); o,_:=newOracle(); fmt.Println("oracle",time.Since(s))
 doc:=obj("members",arr(obj("address","a","port",70000,"weight",-1)),"cooldown",obj("growth",0.5,"cooldwn","5s","max","x"),"onAllOut",obj("panicBelow",200))
 s=time.Now();fmt.Println(o.judge("Pool",encode(&compiled,nil,New().roots[Pool],doc)),time.Since(s))
 for _,i:=range New().Check(Pool,doc,nil){p:=i.Problem(); fmt.Println(p.Rule,p.Text.En,"|",p.Hint.En,"|",p.Text.Zh,"|",p.Hint.Zh)}
 s=time.Now();fmt.Println(len(New().Check(Pool,doc,nil)),time.Since(s))
}
