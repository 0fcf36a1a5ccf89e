require("http").createServer((req, res) => {
  res.setHeader("Content-Type", "text/plain; charset=utf-8");
  res.end("hello, world\n");
}).listen(+process.argv[2], "127.0.0.1");
