%% A million live tasks: n tasks wait at a gate, then all give their number.
-module(main).
-export([start/1]).

now_s() -> erlang:monotonic_time(nanosecond) / 1.0e9.
done(T0, R) ->
    io:format("TIME total ~.6f~nRESULT ~p~n", [now_s() - T0, R]),
    halt(0).

start([A]) ->
    N = list_to_integer(A),
    T0 = now_s(),
    Me = self(),
    Pids = spawn_all(N, 0, Me, []),
    io:format("TIME spawn ~.6f~n", [now_s() - T0]),
    [P ! go || P <- Pids],
    done(T0, gather(N, 0)).

spawn_all(N, N, _, Acc) -> Acc;
spawn_all(N, I, Me, Acc) ->
    P = spawn(fun() -> receive go -> Me ! I end end),
    spawn_all(N, I + 1, Me, [P | Acc]).

gather(0, S) -> S;
gather(N, S) -> receive V -> gather(N - 1, S + V) end.
