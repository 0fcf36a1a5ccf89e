package racestress

// taskSubjects are the objects of concurrency, used and replaced at once.
func taskSubjects() []Subject {
	waits := []string{"Closed", "Timeout"}
	return []Subject{
		{
			Name:   "channels",
			Fields: "  a: chan<str> = chan<str>(3)\n  b: chan<str> = chan<str>()\n  o: chan<int?> = chan<int?>(2)\n  cc: chan<chan<str>> = chan<chan<str>>(2)",
			Errors: waits,
			Ops: []string{
				`s.a.try_send("s${n}")`, `s.b.try_send("s${n}")`, `if let x = s.a.try_recv() { demand(x.starts_with("s"), "try_recv", s) }`, `if let x = s.b.try_recv() { demand(x.starts_with("s"), "try_recv", s) }`,
				`timeout(100us, || s.a.send("s${n}"))`, `timeout(100us, || s.b.send("s${n}"))`, `if let x = timeout(100us, || s.a.recv()) { demand(x.starts_with("s"), "recv", s) }`, `if let x = timeout(100us, || s.b.recv()) { demand(x.starts_with("s"), "recv", s) }`,
				"select {\n  let x = s.a.recv() => demand((x ?? \"s\").starts_with(\"s\"), \"select\", s)\n  s.b.send(\"s\") => {}\n  after 50us => {}\n}",
				"select {\n  s.a.send(\"s${n}\") => {}\n  let x = s.b.recv() => demand((x ?? \"s\").starts_with(\"s\"), \"select\", s)\n  s.o.send(none) => {}\n  _ => {}\n}",
				"select {\n  s.a.send(\"s\") => {}\n  s.a.recv() => {}\n  s.b.send(\"s\") => {}\n  s.b.recv() => {}\n  after 20us => {}\n}",
				"timeout(100us, || { for x in s.b { demand(x.starts_with(\"s\"), \"for\", s) } })",
				"s.a.close()", "s.b.close()", "s.a = chan<str>(n % 4)", "s.b = chan<str>()", "s.o = chan<int?>(n % 3)", "s.o.try_send(n)", "s.o.try_send(none)", "if let x = s.o.try_recv() { demand((x ?? 0) < 40, \"optional\", s) }",
				"s.cc.try_send(s.a)", "s.cc.try_send(chan<str>(1))", "if let ch = s.cc.try_recv() { s.b = ch }", "let _ = s.a.len() + s.a.capacity()", "s.a.is_closed()", "let _ = \"${s.a} ${s.o}\"", "let _ = s.a == s.b", "s.a = s.b",
				"let ch = s.b\nspawn { try { timeout(50us, || ch.send(\"s\")) } catch _e: Closed {} catch _e: Timeout {} }",
			},
		},
		{
			Name:   "mutexes",
			Fields: "  m: mutex<[str]> = mutex([\"s\"])\n  k: mutex<int> = mutex(0)\n  a: mutex<any> = mutex(1)\n  o: mutex<str?> = mutex(none)\n  leak: [str] = []",
			Decls:  "fn any_of(n: int) -> any { if n % 2 == 0 { n } else { \"s${n}\" } }",
			Errors: waits,
			Ops: []string{
				"lock s.m as xs { xs.push(\"s${n}\") }", "lock s.m as xs { xs.pop() }", "lock s.m as xs { demand(xs.all(|x| x.starts_with(\"s\")), \"locked\", s) }", "lock s.m as xs { s.leak = xs }", "s.leak.push(\"s${n}\")", "s.leak.clear()", "s.leak.sort()",
				"lock s.m as xs { xs = s.leak }", "lock s.m as xs { xs = [\"s\"] }", "lock s.m as xs { if xs.len() > 50 { xs.clear() } }", "s.m = mutex([\"s${n}\"])", "s.m.try_lock(|xs| xs.push(\"s\"))", "s.m.with(|xs| xs.len())",
				"lock s.k as v { v += 1 }", "s.k.update(|v| v + 1)", "s.k = mutex(n)", "s.k.get()", "s.k.set(n)", "s.k.try_lock(|_v| yield_now())", "lock s.k as v {\n  yield_now()\n  v += 1\n}", "timeout(50us, || { lock s.k as v { sleep(10us); v += 1 } })",
				"lock s.a as v { v = any_of(n) }", "lock s.a as v { match v { t: str => demand(t.starts_with(\"s\"), \"any\", s), _ => {} } }", "s.a.set(any_of(n))", "s.a = mutex(any_of(n))",
				"lock s.o as v { v = \"s${n}\" }", "lock s.o as v { v = none }", "if let t = s.o.get() { demand(t.starts_with(\"s\"), \"optional\", s) }", "let _ = \"${s.m} ${s.k}\"", "let _ = s.m == s.m",
				"let t = spawn { lock s.k as v { v } }\nawait t",
			},
		},
		{
			Name:   "tasks",
			Decls:  "fn work(n: int) -> str {\n  if n % 5 == 0 { sleep(20us) }\n  if n % 3 == 0 { yield_now() }\n  \"s${n}\"\n}",
			Fields: "  t: task<str> = spawn work(1)\n  ts: [task<str>] = [spawn work(1), spawn work(2)]\n  local: TaskLocal<str> = task_local(\"s\")",
			Errors: []string{"TaskCancelled", "Timeout", "ValueError"},
			Ops: []string{
				"s.t = spawn work(n)", "s.t = spawn { work(n) }", "demand((await s.t).starts_with(\"s\"), \"await\", s)", "s.t.cancel()", "s.t.done()", "s.ts.push(spawn work(n))", "s.ts.pop()", "s.ts[0] = s.t", "s.t = s.ts[n % 3]",
				"demand((await s.ts[n % 3]).starts_with(\"s\"), \"await\", s)", "demand(await_all(s.ts).all(|x| x.starts_with(\"s\")), \"await_all\", s)", "if !s.ts.is_empty() { demand(await_any(s.ts).starts_with(\"s\"), \"await_any\", s) }",
				"demand(await_all(s.ts.copy()).all(|x| x.starts_with(\"s\")), \"await_all\", s)", "s.ts[n % 3].cancel()", "for t in s.ts { t.cancel() }", "s.ts.retain(|t| !t.done())", "s.ts.clear()",
				"timeout(50us, || await s.t)", "demand(race([|| work(n), || work(n + 1)]).starts_with(\"s\"), \"race\", s)", "scope { spawn { s.t = spawn work(n) } }",
				"scope {\n  spawn work(n)\n  spawn work(5)\n}", "let _ = \"${s.t} ${s.ts}\"", "let _ = s.t == s.ts[0]", "s.ts.contains(s.t)", "spawn { try { await s.t; () } catch _e: TaskCancelled {} }", "spawn detached work(n)",
				"s.local.with(\"s${n}\", || work(n))", "demand(s.local.get().starts_with(\"s\"), \"local\", s)", "s.local = task_local(\"s${n}\")", "let local = s.local\nlet t = spawn { local.get() }\ndemand((await t).starts_with(\"s\"), \"inherited\", s)",
				"let t = spawn {\n  defer { yield_now() }\n  loop { s.t.done() }\n}\nt.cancel()\ntry { await t } catch _e: TaskCancelled {}",
			},
			After: "if s.ts.len() > 30 { s.ts = [spawn work(1)] }",
		},
	}
}
