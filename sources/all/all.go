// Package all lists the adapters. Adding a format is one line here.
package all

import (
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/app/mapped"
	"github.com/poolproof/poolproof/sources/app/native"
	"github.com/poolproof/poolproof/sources/app/spring"
	"github.com/poolproof/poolproof/sources/doc/asciidoc"
	"github.com/poolproof/poolproof/sources/doc/markdown"
	"github.com/poolproof/poolproof/sources/gateway/apisix"
	"github.com/poolproof/poolproof/sources/gateway/argorollouts"
	"github.com/poolproof/poolproof/sources/gateway/configmap"
	"github.com/poolproof/poolproof/sources/gateway/envoy"
	"github.com/poolproof/poolproof/sources/gateway/haproxy"
	"github.com/poolproof/poolproof/sources/gateway/nginx"
	"github.com/poolproof/poolproof/sources/order/changeorder"
)

// Adapters returns all adapters, in the order in which they are asked to recognise a file.
func Adapters() []sources.Adapter {
	return []sources.Adapter{
		haproxy.Adapter(),
		nginx.Adapter(),
		envoy.Adapter(),
		apisix.Adapter(),
		argorollouts.Adapter(),
		configmap.Adapter(haproxy.Adapter(), nginx.Adapter(), envoy.Adapter(), apisix.Adapter(), native.Adapter(), spring.Adapter()),
		native.Adapter(),
		spring.Adapter(),
		changeorder.Adapter(),
		markdown.Adapter(),
		asciidoc.Adapter(),
		mapped.Adapter(),
	}
}
