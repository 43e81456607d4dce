package engines

import (
	"errors"
	"testing"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

func TestNew(t *testing.T) {
	members := []schema.Member{{Host: "10.0.0.1", Port: 80}}
	for _, c := range []struct {
		copy          schema.Copy
		name, version string
		err           error
	}{
		{schema.Copy{Profile: "haproxy-2.6", Members: members}, "haproxy", "2.6", nil},
		{schema.Copy{Profile: "nginx", Members: members}, "nginx", "", nil},
		{schema.Copy{Engine: "haproxy-3.0", Profile: "nginx-1.22", Members: members}, "haproxy", "3.0", nil},
		{schema.Copy{Profile: "argo-rollouts-1.7", Members: members}, "", "", failover.ErrNotBuilt},
		{schema.Copy{Members: members}, "", "", failover.ErrNotBuilt},
		{schema.Copy{Profile: "haproxy-2.6"}, "", "", failover.ErrNoMembers},
	} {
		e, err := New(&c.copy, failover.Options{})
		if c.err != nil {
			if !errors.Is(err, c.err) || e != nil {
				t.Errorf("%s: %v, %v", c.copy.Profile, e, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.copy.Profile, err)
			continue
		}
		if i := e.Info(); i.Name != c.name || i.Version != c.version || len(i.Members) != 1 {
			t.Errorf("%s: %+v", c.copy.Profile, i)
		}
	}
	if len(Names()) < 2 {
		t.Error("there are no engines")
	}
}
