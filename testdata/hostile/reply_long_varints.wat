;; Harmless: every number in more bytes than it needs.
(module
  (data (i32.const 0x200) "\9a\80\00\99\80\80\00\92\80\00\92\80\80\00\8a\80\00\8b\80\80\00\8a\80\00\84\80\80\00fine")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x20000000020))
)
