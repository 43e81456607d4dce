package main

// chinese returns the Chinese sentence of an error's format, with the same verbs in the same order unless they are
// numbered; nothing for formats that hold no words.
func chinese(format string) string {
	switch format {
	// Command line.
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
