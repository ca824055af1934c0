package builtin

import (
	"maps"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// Tools gives all utilities by their names. The caller owns the map.
func Tools() map[string]shell.Tool { return maps.Clone(tools) }

var tools = map[string]shell.Tool{
	"awk": utility(awk), "base64": utility(convertBase64), "basename": utility(basename), "cat": utility(cat),
	"chgrp": utility(chown), "chmod": utility(chmod), "chown": utility(chown), "cmp": utility(compareBytes),
	"cp": utility(cp), "cut": utility(cut), "date": utility(date), "diff": utility(diff),
	"dirname": utility(dirname), "egrep": utility(grep), "expr": utility(expr), "fgrep": utility(grep),
	"find": utility(find), "grep": utility(grep), "head": utility(head), "hostname": utility(hostname),
	"id": utility(id), "jq": utility(jq), "ln": utility(ln), "ls": utility(ls), "mkdir": utility(mkdir),
	"mktemp": utility(mktemp), "mv": utility(mv), "nl": utility(nl), "nohup": utility(prefix),
	"nproc": utility(nproc), "paste": utility(paste), "printenv": utility(printenv),
	"readlink": utility(readlink), "realpath": utility(realpath), "rev": utility(rev), "rm": utility(rm),
	"rmdir": utility(rmdir), "sed": utility(sed), "seq": utility(seq), "sleep": utility(sleep),
	"sort": utility(sort), "stat": utility(stat), "tac": utility(tac), "tail": utility(tail),
	"tee": utility(tee), "timeout": utility(timeout), "touch": utility(touch), "tr": utility(tr),
	"uname": utility(uname), "uniq": utility(uniq), "wc": utility(wc), "which": utility(which),
	"whoami": utility(whoami), "xargs": utility(xargs), "yes": utility(yes),
}
