// Method calls that change a field.
class Account {
  constructor() {
    this.balance = 0;
  }
  deposit(amount) {
    this.balance += amount;
  }
}

function main(n) {
  const account = new Account();
  for (let i = 0; i < n; i++) account.deposit(3);
  console.log(account.balance);
}

main(Number(process.argv[2]));
