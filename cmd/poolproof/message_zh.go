package main

// chinese returns the Chinese sentence of an error's format, with the same verbs in the same order unless they are
// numbered; nothing for formats that hold no words.
func chinese(format string) string {
	switch format {
	case "what is checked out is the base of the change and not the change: %w":
		return "检出的是变更的基准而不是变更本身：%w"
	case "what is checked out (%.12s) does not hold the change; check it out: git checkout %s":
		return "检出的内容（%.12s）不含该变更；请检出：git checkout %s"
	case "%s is no place for a change order; name one with --output FILE":
		return "%s 不能存放变更单；请用 --output FILE 指定位置"
	case "%s is a link that does not lead to a file of the repository; name another file with --output FILE":
		return "%s 是未指向仓库内文件的链接；请用 --output FILE 指定其他文件"
	// Command line.
	case "%s is the manifest: reports are not written over it":
		return "%s 是清单：不会用报告覆盖它"
	case "%s is one of the files that are checked: reports are not written over it":
		return "%s 是被检查的文件之一：不会用报告覆盖它"
	case "the manifest names no sinks under alerts":
		return "清单的 alerts 下没有写接收方（sinks）"
	case "--alert-on %s: one of error, warning, info":
		return "--alert-on %s：可选 error、warning、info"
	case "--every and --poll: at least 1s":
		return "--every 与 --poll：至少 1s"
	case "%w; it is delivered by the next run":
		return "%w；将由下一次运行送达"
	case "nothing could be aligned: %s (--allow-empty accepts that)":
		return "无可修改：%s（--allow-empty 可接受）"
	case "finding the edits: %w":
		return "查找修改：%w"
	case "writing: %w":
		return "写入：%w"
	case "nothing could be judged: no copy of a pool was found (--allow-empty accepts that)":
		return "无可判断：没有找到任何池的副本（--allow-empty 可接受）"
	case "the status page: %w":
		return "状态页：%w"
	case "%w; name another one with --state":
		return "%w；请用 --state 指定其他目录"
	case "the status page cannot be served: %w; name a free address (127.0.0.1:0 takes any free port)":
		return "无法提供状态页：%w；请指定空闲地址（127.0.0.1:0 表示任意空闲端口）"
	case "unknown command %q%s; poolproof --help lists them":
		return "没有命令 %q%s；用 poolproof --help 查看全部命令"
	case "no command %q; poolproof --help lists them":
		return "没有命令 %q；用 poolproof --help 查看全部命令"
	case "unknown flag: %s (%s --help lists the flags)":
		return "没有参数 %s（用 %s --help 查看全部参数）"
	case "flag needs an argument: %s (%s --help lists the flags)":
		return "参数缺少取值：%s（用 %s --help 查看全部参数）"
	case "%w (%s --help lists the flags)":
		return "%w（用 %s --help 查看全部参数）"
	case "%s takes one path, not %d: %s":
		return "%s 只接受一个路径，而给出了 %d 个：%s"
	case "%s takes no arguments: %s":
		return "%s 不接受参数：%s"
	case "%s writes no reports: use --output":
		return "%s 不写报告：请用 --output"
	case "%s writes no %s":
		return "%s 不能输出 %s"
	case "%s --format %s: one of %s":
		return "%s --format %s：可选 %s"
	case "unknown format %q: one of %s":
		return "未知格式 %q：可选 %s"
	case "--report %s: write FORMAT=FILE":
		return "--report %s：请写成 格式=文件"
	case "two reports for %s: give each its own file":
		return "有两份报告写入 %s：请各用一个文件"
	case "--fail-on %s: one of error, warning, info":
		return "--fail-on %s：可选 error、warning、info"
	case "--now %s is no RFC 3339 time (2026-01-31T02:00:00Z)":
		return "--now %s 不是 RFC 3339 时间（如 2026-01-31T02:00:00Z）"
	case "--lang %s: one of en, zh":
		return "--lang %s：可选 en、zh"
	case "--rule %s: no such rule%s; poolproof rules lists them":
		return "--rule %s：没有该规则%s；用 poolproof rules 查看全部规则"
	case "explain takes the name of one rule; poolproof rules lists them":
		return "explain 接受一个规则名；用 poolproof rules 查看全部规则"
	case "no rule %q%s; poolproof rules lists them":
		return "没有规则 %q%s；用 poolproof rules 查看全部规则"
	case "no completion for %s: one of %s":
		return "没有 %s 的补全脚本：可选 %s"
	case "--scenario %s: no such case%s; there are: %s":
		return "--scenario %s：没有该用例%s；现有：%s"
	case "--seeds %d: from 1 to %d":
		return "--seeds %d：应在 1 到 %d 之间"
	case "--compare %s is a file. It takes a folder or a git revision":
		return "--compare %s 是文件；它接受目录或 git 版本"
	case "--change-text %s: there is no such file":
		return "--change-text %s：没有该文件"
	case "change takes new or verify, not %q":
		return "change 之后是 new 或 verify，而不是 %q"
	case "--staged compares the index with the last commit: leave out --base and --head":
		return "--staged 比较暂存区与最近的提交：请去掉 --base 与 --head"
	case "--effective %s is no RFC 3339 time with its offset (2026-01-31T02:00:00+08:00)":
		return "--effective %s 不是带时区的 RFC 3339 时间（如 2026-01-31T02:00:00+08:00）"
	case "say what the order is called: --id CHG-1042 (or which file it is: --output FILE)":
		return "请写明变更单的名称：--id CHG-1042（或写明文件：--output FILE）"
	case "%s is the change order %s, not %s":
		return "%s 是变更单 %s，而不是 %s"
	case "%s cannot be brought up to date: %w":
		return "%s 无法更新：%w"
	case "the order cannot be written: %w":
		return "无法写出变更单：%w"
	case "there is no order to write: %s (--allow-empty accepts that)":
		return "没有可写的变更单：%s（可用 --allow-empty 接受）"
	case "--ramp-from %s is not in the repository":
		return "--ramp-from %s 不在仓库中"
	case "--ramp-from %s: no copy in it states the ramp of a pool that the change alters":
		return "--ramp-from %s：其中没有副本写有本次变更所涉池的放量批次"
	case "%s is not in the repository":
		return "%s 不在仓库中"
	case "%s: there is no such file":
		return "%s：没有该文件"
	case "reading %s: %w":
		return "读取 %s：%w"
	case "say what to compare with: --base origin/main (or run it in the CI of GitHub, Gitea or GitLab, which say so themselves)":
		return "请写明与什么比较：--base origin/main（在 GitHub、Gitea、GitLab 的 CI 中会自动得知）"

	// Files and manifests.
	case "%s is not a folder":
		return "%s 不是目录"
	case "%s is not a regular file":
		return "%s 不是普通文件"
	case "reading the manifest: %w":
		return "读取清单：%w"
	case "looking for a manifest: %w":
		return "查找清单：%w"
	case "%s exists already; --force replaces it":
		return "%s 已存在；用 --force 替换"
	case "%s exists and would count before poolproof.yaml: remove it first":
		return "%s 已存在且优先于 poolproof.yaml：请先删除它"
	case "reading the manifest of %s: %w":
		return "读取 %s 的清单：%w"
	case "the manifest of %s: %w":
		return "%s 的清单：%w"
	case "looking for known formats: %w":
		return "查找已知格式：%w"
	case "reading the copies: %w":
		return "读取副本：%w"
	case "listing the files: %w":
		return "列出文件：%w"
	case "finding the current folder: %w":
		return "确定当前目录：%w"

	// Judging.
	case "judging the copies: %w":
		return "判断副本：%w"
	case "nothing could be judged: %s (--allow-empty accepts that)":
		return "没有可判断的内容：%s（可用 --allow-empty 接受）"
	case "not all could be judged: %s (--allow-empty accepts that)":
		return "未能判断全部内容：%s（可用 --allow-empty 接受）"
	case "nothing was understood: %s (--allow-empty accepts that)":
		return "没有读懂任何内容：%s（可用 --allow-empty 接受）"
	case "reading standard input: %w":
		return "读取标准输入：%w"
	case "standard input is larger than %d MiB":
		return "标准输入超过 %d MiB"
	case "standard input has more than %d lines or list entries":
		return "标准输入超过 %d 行或列表项"
	case "the format of standard input was not recognised":
		return "无法识别标准输入的格式"
	case "making a folder for the example: %w":
		return "为示例创建目录：%w"
	case "laying out the example: %w":
		return "写出示例：%w"

	// Dry-run.
	case "nothing could be played: %s (--allow-empty accepts that)":
		return "没有可推演的内容：%s（可用 --allow-empty 接受）"
	case "not all could be played: %s (--allow-empty accepts that)":
		return "未能推演全部内容：%s（可用 --allow-empty 接受）"
	case "judging the runs: %w":
		return "判断推演结果：%w"
	case "--compare %s is no folder, and as a git revision: %w":
		return "--compare %s 不是目录；作为 git 版本：%w"
	case "%s is a folder without a scenario.yaml: name the scenario files (the pools are those of the current folder, or of --manifest)":
		return "目录 %s 中没有 scenario.yaml：请写明场景文件（池取自当前目录或 --manifest）"
	case "reading the scenario %s: %w":
		return "读取场景 %s：%w"
	case "looking for configurations beside the scenario: %w":
		return "查找场景旁的配置：%w"
	}
	return ""
}
