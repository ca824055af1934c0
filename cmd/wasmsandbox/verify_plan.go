package main

import (
	"context"
	"math/rand/v2"

	"github.com/wasmsandbox/wasmsandbox/scripts/verify"
)

// A verifyPlan is which runs to make, and what came of them.
type verifyPlan struct {
	load    loadFlags
	engines []string
	times   int
	shuffle bool
	seed    uint64

	tasks   []verifyTask
	reports []*verifyReport // of each task
	check   *manifestCheck  // nil: there is no manifest
}

// add adds scripts, with what is the same for all of them.
func (p *verifyPlan) add(paths []string, same verifyTask) {
	for _, path := range paths {
		task := same
		task.Path = path
		p.tasks = append(p.tasks, task)
		p.reports = append(p.reports, newVerifyReport(path))
	}
}

// rounds is how many runs are made on each engine in this process, and how many
// processes make one more.
func (p *verifyPlan) rounds() (here, processes int) {
	if p.shuffle {
		return 1, p.times
	}
	return p.times, 1
}

// run makes all runs, but none of a script after one that differs or can't be made.
func (p *verifyPlan) run(ctx context.Context, v *verifier) {
	here, processes := p.rounds()
	for i := range p.tasks {
		if p.check != nil {
			p.check.compare(ctx, v, &p.tasks[i], p.reports[i], p.engines[0], i)
		}
		for _, engine := range p.engines {
			for round := 1; round <= here && p.reports[i].open(); round++ {
				transcript, err := v.run(ctx, &p.tasks[i], engine)
				p.reports[i].note(ctx, verifyRun{Engine: engine, Run: round}, transcript, err)
				p.reports[i].File = v.file(&p.tasks[i], engine)
			}
		}
	}
	for process := 1; process <= processes && ctx.Err() == nil; process++ {
		p.runProcess(ctx, process)
	}
	for _, report := range p.reports {
		report.finish(ctx)
	}
}

// turns are the runs that a process makes: of each script that goes on, on each engine.
func (p *verifyPlan) turns() (turns []verifyTurn) {
	for i, report := range p.reports {
		for _, engine := range p.engines {
			if report.open() {
				turns = append(turns, verifyTurn{Script: i, Engine: engine})
			}
		}
	}
	return turns
}

// runProcess makes a run of all scripts on all engines in another process.
func (p *verifyPlan) runProcess(ctx context.Context, number int) {
	turns := p.turns()
	if len(turns) == 0 {
		return
	}
	var conditions verifyConditions
	if p.shuffle {
		chance := rand.New(rand.NewPCG(p.seed, uint64(number)))
		chance.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
		conditions = chooseConditions(chance)
	}
	job := &verifyJob{
		Scripts: p.tasks, Turns: turns, NoBuild: p.load.noBuild, AllowOutside: p.load.allowOutside,
	}
	run := verifyRun{Process: number, Run: 1, Settings: conditions.settings()}
	err := job.start(ctx, conditions, func(result *verifyResult) {
		run.Engine = result.Engine
		p.reports[result.Script].note(ctx, run, result.Transcript, result.error())
	})
	if err == nil || ctx.Err() != nil {
		return
	}
	for _, turn := range turns {
		p.reports[turn.Script].broken(number, err)
	}
}

// A manifestCheck is a manifest to compare with.
type manifestCheck struct{ manifest *verify.Manifest }
