package terminal

import "time"

// stdio is what the program gets.
func (p *process) stdio() Stdio {
	return Stdio{
		Stdin: stdin{p}, Stdout: stdout{p}, Stderr: stdout{p}, TTY: p.tty,
		Sleep: p.sleep, Poll: p.poll, Now: p.time, Interrupts: p.catch,
	}
}

type stdin struct{ process *process }

// Read waits for input.
func (s stdin) Read(b []byte) (int, error) {
	p := s.process
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.usable(); err != nil || len(b) == 0 {
		return 0, err
	}
	if err := p.waitForInput(never); err != nil {
		return 0, err
	}
	return p.input.read(b)
}

type stdout struct{ process *process }

// Write prints, and waits where that was too much for one call.
func (s stdout) Write(b []byte) (n int, err error) {
	p := s.process
	p.mu.Lock()
	defer p.mu.Unlock()
	for err = p.usable(); err == nil && n < len(b); {
		part := b[n:min(len(b), n+p.quota)]
		p.print(part)
		n += len(part)
		if n < len(b) {
			err = p.waitForQuota()
		}
	}
	return n, err
}

func (p *process) print(b []byte) {
	p.quota -= len(b)
	if p.tty {
		printed(b, &p.output)
	} else {
		p.output.write(b)
	}
}

func (p *process) sleep(d time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.usable(); err != nil || d <= 0 {
		return err
	}
	until := after(p.now, d)
	if err := p.waitFor(wait{until: until}); err != nil {
		return err
	}
	p.now = max(p.now, until)
	return nil
}

func (p *process) poll(d time.Duration) (ready bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	until := int64(never)
	if d >= 0 {
		until = after(p.now, d)
	}
	if err := p.usable(); err != nil || d == 0 {
		return err == nil && p.input.ready(), err
	}
	err = p.waitForInput(until)
	return err == nil && p.input.ready(), err
}

func (p *process) time() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

// waitForInput waits until there is some, or until a time. Input comes when a call
// is made. The lock is held.
func (p *process) waitForInput(until int64) error {
	if p.input.ready() {
		return nil
	}
	if err := p.waitFor(wait{until: until, input: true}); err != nil {
		return err
	}
	if p.input.ready() {
		until = p.start
	}
	p.now = max(p.now, until)
	return nil
}

// waitForQuota waits for the next call. The lock is held.
func (p *process) waitForQuota() error {
	if p.quota > 0 {
		return nil
	}
	until := p.limit
	if err := p.waitFor(wait{until: never, quota: true}); err != nil {
		return err
	}
	p.now = max(p.now, until)
	return nil
}
