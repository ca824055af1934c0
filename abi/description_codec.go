package abi

func (m *Description) append(dst []byte) []byte {
	dst = appendText(dst, 1, m.Name)
	dst = appendText(dst, 2, m.Version)
	dst = appendText(dst, 3, m.SDK)
	dst = appendText(dst, 4, m.SDKVersion)
	dst = appendText(dst, 5, m.Language)
	dst = appendText(dst, 6, m.Toolchain)
	for i := range m.Handlers {
		var mark int
		dst, mark = openMessage(dst, 7)
		dst = closeMessage(m.Handlers[i].append(dst), mark)
	}
	return appendText(dst, 8, m.ConfigSchema)
}

func (m *Description) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("Description") {
		switch r.num {
		case 1:
			m.Name = r.text("name")
		case 2:
			m.Version = r.text("version")
		case 3:
			m.SDK = r.text("sdk")
		case 4:
			m.SDKVersion = r.text("sdk_version")
		case 5:
			m.Language = r.text("language")
		case 6:
			m.Toolchain = r.text("toolchain")
		case 7:
			var h Handler
			h.decode(r, "handlers")
			m.Handlers = append(m.Handlers, h)
		case 8:
			m.ConfigSchema = r.text("config_schema")
		default:
			r.skip()
		}
	}
	r.leave(outer)
}

func (m *Handler) append(dst []byte) []byte {
	dst = appendUint(dst, 1, uint64(m.ID))
	dst = appendText(dst, 2, m.Name)
	dst = appendUint(dst, 3, uint64(m.Kind))
	if len(m.Methods) == 0 {
		return dst
	}
	dst, mark := openMessage(dst, 4)
	for _, method := range m.Methods {
		dst = appendVarint(dst, uint64(method))
	}
	return closeMessage(dst, mark)
}

func (m *Handler) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("Handler") {
		switch r.num {
		case 1:
			m.ID = r.uint32("id")
		case 2:
			m.Name = r.text("name")
		case 3:
			m.Kind = HandlerKind(r.enum("kind", uint8(HandlerRespond)))
		case 4:
			m.decodeMethods(r, "methods")
		default:
			r.skip()
		}
	}
	r.leave(outer)
}

// decodeMethods reads one method, or any number of them packed.
func (m *Handler) decodeMethods(r *reader, field string) {
	if r.typ == wireVarint {
		m.Methods = append(m.Methods, r.method(field))
		return
	}
	outer := r.enter(field)
	for r.pos < r.end && r.err == nil {
		m.Methods = append(m.Methods, r.method(field))
	}
	r.leave(outer)
}

// method reads the number of one of the nine methods.
func (r *reader) method(field string) Method {
	v := r.varint(field)
	if v > uint64(lastMethod) || !Method(v).Valid() {
		r.fail(field, ErrEnum)
		return 0
	}
	return Method(v)
}
