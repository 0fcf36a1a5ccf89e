%% Timers: n tasks asleep for the same number of seconds, all at once.
-module(main).
-export([start/1]).

now_s() -> erlang:monotonic_time(nanosecond) / 1.0e9.
done(T0, R) ->
    io:format("TIME total ~.6f~nRESULT ~p~n", [now_s() - T0, R]),
    halt(0).

start([A, B]) ->
    N = list_to_integer(A),
    D = list_to_integer(B),
    T0 = now_s(),
    Me = self(),
    spawn_all(N, D * 1000, Me),
    io:format("TIME start ~.6f~n", [now_s() - T0]),
    S = gather(N, 0),
    io:format("TIME over ~.6f~n", [now_s() - T0 - D]),
    done(T0, S).

spawn_all(0, _, _) -> ok;
spawn_all(N, Ms, Me) ->
    spawn(fun() -> receive after Ms -> Me ! 1 end end),
    spawn_all(N - 1, Ms, Me).

gather(0, S) -> S;
gather(N, S) -> receive V -> gather(N - 1, S + V) end.
