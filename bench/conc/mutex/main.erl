%% A mutex: 8 tasks lock, count up and unlock n times each.
-module(main).
-export([start/1]).

now_s() -> erlang:monotonic_time(nanosecond) / 1.0e9.
done(T0, R) ->
    io:format("TIME total ~.6f~nRESULT ~p~n", [now_s() - T0, R]),
    halt(0).

%% No mutexes in Erlang: ets:update_counter on a shared table is what one uses for this.
start([A]) ->
    N = list_to_integer(A),
    T0 = now_s(),
    T = ets:new(t, [public, set]),
    ets:insert(T, {x, 0}),
    Me = self(),
    [spawn(fun() -> inc(T, N), Me ! ok end) || _ <- lists:seq(1, 8)],
    [receive ok -> ok end || _ <- lists:seq(1, 8)],
    [{x, X}] = ets:lookup(T, x),
    done(T0, X).

inc(_, 0) -> ok;
inc(T, N) -> ets:update_counter(T, x, 1), inc(T, N - 1).
