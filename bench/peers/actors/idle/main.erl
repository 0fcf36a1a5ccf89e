%% Memory: n servers, all of which have received one message and wait for the next.
-module(main).
-behaviour(gen_server).
-export([start/1, init/1, handle_call/3, handle_cast/2]).

now_s() -> erlang:monotonic_time(nanosecond) / 1.0e9.

init(Received) -> {ok, {Received, 0}}.
handle_call(get, _, S = {_, N}) -> {reply, N, S}.
handle_cast({add, K}, {Received, N}) -> counters:add(Received, 1, 1), {noreply, {Received, N + K}}.

start([A]) ->
    N = list_to_integer(A),
    Received = counters:new(1, []),
    T0 = now_s(),
    Servers = [one(Received) || _ <- lists:seq(1, N)],
    wait(Received, N),
    io:format("TIME start ~.6f~nIDLE ~p~n", [now_s() - T0, N]),
    io:get_line(""),
    io:format("RESULT ~p~n", [length(Servers)]),
    halt(0).

one(Received) ->
    {ok, P} = gen_server:start(?MODULE, Received, []),
    gen_server:cast(P, {add, 1}),
    P.

wait(Received, N) ->
    case counters:get(Received, 1) of
        N -> ok;
        _ -> timer:sleep(1), wait(Received, N)
    end.
