package align

import "github.com/poolproof/poolproof/schema"

// Why a difference is left. Each says what stands in the way and what to do.

func whyElsewhere(file string) schema.Text {
	return schema.Textf("the value comes from %s, which is merged into this copy: change it there", "该值来自合并进此副本的 %s：请在那里修改", file)
}

func whyGenerated() schema.Text {
	return schema.Textf("the file says that it is generated: change what it is made from", "该文件注明由工具生成：请修改其源头")
}

func whyMoved() schema.Text {
	return schema.Textf("the file does not read as it did when it was compared: run the command again", "该文件与比对时读到的内容不同：请重新运行命令")
}

func whyEncoding() schema.Text {
	return schema.Textf("the file is not UTF-8: change it with an editor that knows its encoding", "该文件不是 UTF-8：请用支持其编码的编辑器修改")
}

func whyUnresolved() schema.Text {
	return schema.Textf("templates or unreadable entries of the list may stand for it: decide by hand what they are", "列表中的模板或无法读取的条目可能就是它：请人工确认")
}

func whyNames() schema.Text {
	return schema.Textf("one side lists names and the other addresses: join them with aliases in the manifest", "一方写域名、另一方写地址：请在清单的 aliases 中写明对应关系")
}

func whyEmpty() schema.Text {
	return schema.Textf("the list has no entry that could serve as a pattern: write the first one by hand", "列表中没有可仿照的条目：请手工写第一条")
}

func whyLayout() schema.Text {
	return schema.Textf("the layout of the list is not understood: change it by hand", "无法理解该列表的排版：请手工修改")
}

func whyLone() schema.Text {
	return schema.Textf("the text holds one address, and nothing shows that the program would split it at commas: change it by hand", "该文本只写了一个地址，无法确定程序是否按逗号拆分：请手工修改")
}

func whyComment() schema.Text {
	return schema.Textf("a comment stands between the entries and would be lost: change it by hand", "条目之间有注释，修改会丢失注释：请手工修改")
}

func whyNotation() schema.Text {
	return schema.Textf("the notation of what stands there cannot express the value: change it by hand", "此处的写法无法表示该值：请手工修改")
}

func whyTemplate() schema.Text {
	return schema.Textf("the value is filled in from elsewhere: change it there", "该值由别处填入：请在那里修改")
}

func whyMerged() schema.Text {
	return schema.Textf("the value comes through a merge key that others share: write a key of its own here", "该值来自与其他地址池共用的合并键：请在此处单独写出该键")
}

func whyAlias() schema.Text {
	return schema.Textf("the list is an alias of one that others share: write a list of its own here", "该列表是与其他地址池共用的别名：请在此处单独写出列表")
}

func whyEnvironments() schema.Text {
	return schema.Textf("the copy belongs to several environments, and their truths differ: write one for each", "此副本属于多个环境，而各环境的基准不同：请分环境书写")
}

func whyPattern() schema.Text {
	return schema.Textf("no entry of the list can serve as a pattern for this one: write it by hand", "列表中没有可作为范例的条目：请手工书写")
}

func whyUnknown() schema.Text {
	return schema.Textf("the truth states nothing that could be written here: change it by hand", "基准未写明可写入此处的值：请手工修改")
}

// What went wrong with a change when the text was read again.

func faultClash() schema.Text {
	return schema.Textf("the change would touch the same bytes as another one: align again after the others are made", "该修改与另一处修改重叠：请在其他修改完成后重新运行")
}

func faultShape() schema.Text {
	return schema.Textf("the change would alter another copy of the file, or how the file is read: change it by hand", "该修改会影响文件中的其他副本或文件的读法：请手工修改")
}

func faultOther() schema.Text {
	return schema.Textf("the change would alter something else that the copy says: change it by hand", "该修改会改变此副本的其他内容：请手工修改")
}

func faultValue() schema.Text {
	return schema.Textf("what could be written here does not read as the truth has it: change it by hand", "此处能写出的内容读出来与基准不一致：请手工修改")
}

func faultNew() schema.Text {
	return schema.Textf("the change would bring another difference: change it by hand", "该修改会带来新的差异：请手工修改")
}

func faultEmptied() schema.Text {
	return schema.Textf("the list would be left without any member, as those of the truth cannot be added: add them by hand first", "基准中的成员无法添加，删除后列表将为空：请先手工添加")
}

func faultEffort() schema.Text {
	return schema.Textf("too many changes of this file could not be proven: change it by hand, or align again after the others are made", "该文件有过多修改无法验证：请手工修改，或在其他修改完成后重新运行")
}
