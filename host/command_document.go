package host

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// commandKind is what a command is asked for.
type commandKind string

const (
	kindRespond commandKind = "respond"
	kindMatch   commandKind = "match"
)

// callFields is the document that a command reads. docs/json-mapping.md describes
// it; more fields may be added.
type callFields struct {
	ABI     int             `json:"abi"`
	Kind    commandKind     `json:"kind"`
	Handler string          `json:"handler"`
	Index   int             `json:"index"`
	Method  string          `json:"method"`
	Args    any             `json:"args"`
	Kwargs  any             `json:"kwargs"`
	Config  json.RawMessage `json:"config"`

	// Text, since they rarely fit the 53 bits that many readers have for numbers.
	TimeNS string `json:"time_ns"`
	Seed   string `json:"seed"`
}

// callDocument is a call as one line of JSON.
func callDocument(r *run, config json.RawMessage, kind commandKind, call Call) ([]byte, error) {
	return jsonDocument(callFields{
		ABI:     abi.VersionMajor,
		Kind:    kind,
		Handler: r.handler,
		Index:   call.index,
		Method:  call.Method().String(),
		Args:    plainAny(call.Args()),
		Kwargs:  plainAny(call.Kwargs()),
		Config:  config,
		TimeNS:  strconv.FormatInt(r.session.config.callTime(call.index), 10),
		Seed:    strconv.FormatUint(r.session.config.seed, 10),
	})
}

// configDocument is a configuration as JSON.
func configDocument(entries []abi.Entry) (json.RawMessage, error) {
	config := mapOf(entries)
	if config == nil {
		config = map[string]any{}
	}
	document, err := jsonDocument(plainAny(config))
	return bytes.TrimSuffix(document, []byte("\n")), err
}

// jsonDocument is a plain value as one line of JSON.
func jsonDocument(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return b.Bytes(), err
}
