%% Select: n items in all from 4 producers on 4 channels of capacity 64.
-module(main).
-export([start/1]).

now_s() -> erlang:monotonic_time(nanosecond) / 1.0e9.
done(T0, R) ->
    io:format("TIME total ~.6f~nRESULT ~p~n", [now_s() - T0, R]),
    halt(0).

%% Four tagged producers into one mailbox, with credits as in prodcons.
start([A]) ->
    N = list_to_integer(A) div 4,
    T0 = now_s(),
    Me = self(),
    [spawn(fun() -> produce(Me, Tag, 0, N, 64) end) || Tag <- [a, b, c, d]],
    done(T0, consume(N * 4, 0)).

produce(_, _, N, N, _) -> ok;
produce(C, Tag, I, N, 0) -> C ! {ask, self()}, receive more -> produce(C, Tag, I, N, 64) end;
produce(C, Tag, I, N, K) -> C ! {Tag, I}, produce(C, Tag, I + 1, N, K - 1).

consume(0, S) -> S;
consume(N, S) ->
    receive
        {a, V} -> consume(N - 1, S + V);
        {b, V} -> consume(N - 1, S + V);
        {c, V} -> consume(N - 1, S + V);
        {d, V} -> consume(N - 1, S + V);
        {ask, P} -> P ! more, consume(N, S)
    end.
