%% Eight pairs of gen_servers play at once: one serves a ball, the other returns it, n times in all.
-module(main).
-behaviour(gen_server).
-export([start/1, init/1, handle_call/3, handle_cast/2]).

now_s() -> erlang:monotonic_time(nanosecond) / 1.0e9.
done(T0, R) ->
    io:format("TIME total ~.6f~nRESULT ~p~n", [now_s() - T0, R]),
    halt(0).

%% {server, opponent, how often to serve, whom to tell when it is over} or {returner, how many it has returned}
init(State) -> {ok, State}.
handle_call(count, _, S = {returner, N}) -> {reply, N, S}.
handle_cast({served, From}, {returner, N}) ->
    gen_server:cast(From, back),
    {noreply, {returner, N + 1}};
handle_cast(back, S = {server, _, 0, Main}) ->
    Main ! over,
    {noreply, S};
handle_cast(back, {server, Opponent, Left, Main}) ->
    gen_server:cast(Opponent, {served, self()}),
    {noreply, {server, Opponent, Left - 1, Main}}.

start([A]) ->
    Pairs = 8,
    N = list_to_integer(A) div Pairs,
    T0 = now_s(),
    Returners = [new({returner, 0}) || _ <- lists:seq(1, Pairs)],
    [gen_server:cast(new({server, R, N, self()}), back) || R <- Returners],
    [receive over -> ok end || _ <- Returners],
    done(T0, lists:sum([gen_server:call(R, count) || R <- Returners])).

new(State) ->
    {ok, P} = gen_server:start_link(?MODULE, State, []),
    P.
