package builtin

func init() {
	tools["sed"] = utility(sed)
	tools["jq"] = utility(jq)
	tools["awk"] = utility(awk)
}
