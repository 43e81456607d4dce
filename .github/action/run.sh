#!/usr/bin/env bash
# Runs poolproof ci in a job of GitHub or Gitea: annotations to the log, the summary to the job's page and, if asked for, to
# one comment of the pull request. Everything about the change comes from strangers: it stands in files and variables, and
# is never part of a command.
set -euo pipefail

work=$(mktemp -d "${RUNNER_TEMP:-/tmp}/poolproof.XXXXXX")
trap 'rm -rf "$work"' EXIT

program=${POOLPROOF_PROGRAM:-}
if [ -z "$program" ]; then
	program=$work/poolproof
	(cd "$GITHUB_ACTION_PATH" && go build -trimpath -o "$program" ./cmd/poolproof)
fi

args=(--format github --report "markdown=$work/summary.md")
if [ -n "${POOLPROOF_SARIF:-}" ]; then
	args+=(--report "sarif=$POOLPROOF_SARIF")
fi
while IFS= read -r line; do
	if [ -n "$line" ]; then
		args+=("$line")
	fi
done <<<"${POOLPROOF_ARGS:-}"

code=0
"$program" ci "${args[@]}" -- "${POOLPROOF_PATH:-.}" || code=$?
if [ -n "${GITHUB_OUTPUT:-}" ]; then
	echo "exit-code=$code" >>"$GITHUB_OUTPUT"
fi

if [ -s "$work/summary.md" ]; then
	if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
		cat "$work/summary.md" >>"$GITHUB_STEP_SUMMARY"
	fi
	if [ "${POOLPROOF_COMMENT:-}" = true ]; then
		if [[ ${GITHUB_REF:-} =~ ^refs/pull/([0-9]+)/ ]]; then
			issue="repos/$GITHUB_REPOSITORY/issues/${BASH_REMATCH[1]}/comments"
			old=$(gh api --paginate "$issue" --jq '.[] | select(.user.type == "Bot" and (.body | startswith("<!-- poolproof:ci -->"))) | .id')
			old=${old%%$'\n'*}
			if [[ $old =~ ^[0-9]+$ ]]; then
				gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$old" -F "body=@$work/summary.md" >/dev/null
			else
				gh api --method POST "$issue" -F "body=@$work/summary.md" >/dev/null
			fi
		fi
	fi
fi
exit "$code"
