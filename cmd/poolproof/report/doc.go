// Package report turns the outcome of a run into what people and machines read: the console, JSON, SARIF, GitHub
// workflow commands, GitLab code quality, JUnit, Markdown and HTML.
//
// The caller sorts the findings ([Sort]), names them ([Fingerprints]), works out their positions ([Locate]) and hands
// them over in a [Run]; [Render] writes one format. Everything that comes from a file is hostile: no renderer lets it
// reach a terminal, a workflow command, Markdown, HTML or XML unescaped, and no text is longer than a bound.
//
// The console, Markdown and HTML speak the run's language; the other formats are read by machines and are in English.
package report
