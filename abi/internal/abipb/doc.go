// Package abipb is the messages of ABI v1 as protobuf's own generator writes
// them. Only tests use it, to compare package abi with the official runtime.
//
// Generating it takes protoc and protoc-gen-go; see the directive below for the
// flags and abi.pb.go for the versions.
package abipb

//go:generate protoc --proto_path=../.. --go_out=. --go_opt=paths=source_relative --go_opt=Mabi.proto=github.com/wasmsandbox/wasmsandbox/abi/internal/abipb abi.proto
