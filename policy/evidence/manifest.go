package evidence

import "github.com/poolproof/poolproof/schema"

// manifest says what the change does to the rules that changes are judged by.
func (j *judge) manifest() {
	u := j.options.Union
	at := schema.Place{File: u.file, Revision: j.head.Revision}
	switch {
	case u.First && u.Unusable != "":
		j.tell(schema.Finding{Rule: "evidence/no-base-manifest", At: at, Got: u.Unusable,
			Message: schema.Textf("the manifest of the base, %s, cannot be used: the change's own is used, and what it finds counts as existing", "基准的清单 %s 无法使用：改用本次变更的清单，其发现视为已有问题", u.Unusable),
			Hint:    schema.Textf("nothing is owed now; from the next change on this manifest is the base's", "本次无须证据；从下一次变更起，该清单即为基准清单")})
	case u.First:
		j.tell(schema.Finding{Rule: "evidence/no-base-manifest", At: at, Got: u.file,
			Message: schema.Textf("the change brings the first manifest, %s: it is used, and what it finds counts as existing", "本次变更带来首个清单 %s：直接使用，其发现视为已有问题", u.file),
			Hint:    schema.Textf("nothing is owed now; from the next change on this manifest is the base's", "本次无须证据；从下一次变更起，该清单即为基准清单")})
	}
	for i := range u.Changes {
		c := &u.Changes[i]
		f := schema.Finding{Rule: "evidence/rules-changed", At: at, Field: c.What, Got: c.Got}
		f.At.Span = c.At
		f.Message = plus(c.Text, schema.Textf("; takes effect with the next change", "；从下一次变更起生效"))
		if c.Now {
			f.Message = plus(c.Text, schema.Textf("; what it adds counts already, what it takes away with the next change", "；新增内容即时生效，移除内容从下一次变更起生效"))
		}
		if c.Removed {
			f.At.File, f.At.Revision = u.Base.File, j.base.Revision
		}
		j.tell(f)
	}
	for _, m := range j.markers() {
		j.tell(schema.Finding{Rule: "evidence/rules-changed", At: m, Field: "poolproof:ignore",
			Message: schema.Textf("a marker is added or altered; it silences nothing before the next change", "新增或修改了标记；从下一次变更起才生效")})
	}
	for _, o := range j.orders.list {
		if o.comes && len(o.Exceptions) > 0 && !o.text {
			j.tell(schema.Finding{Rule: "evidence/rules-changed", At: o.place(j, o.Exceptions[0].At), Field: "exceptions", Got: o.ID,
				Message: schema.Textf("the change order %s grants exceptions; they excuse nothing before the next change", "变更单 %s 授予了例外；从下一次变更起才生效", o.ID)})
		}
	}
}
