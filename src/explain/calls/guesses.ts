/**
 * Functions that are often called, by selector. Different functions may share a selector, and anybody may
 * name a function as they like, so what comes from here is a guess and is called one.
 */
export const GUESSES: Readonly<Record<string, string>> = {
  '38ed1739': 'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
  '7ff36ab5': 'swapExactETHForTokens(uint256,address[],address,uint256)',
  '18cbafe5': 'swapExactTokensForETH(uint256,uint256,address[],address,uint256)',
  '04e45aaf': 'exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))',
  '3593564c': 'execute(bytes,bytes[],uint256)',
  '40c10f19': 'mint(address,uint256)',
  a0712d68: 'mint(uint256)',
  '1249c58b': 'mint()',
  '42966c68': 'burn(uint256)',
  '4e71d92d': 'claim()',
  a694fc3a: 'stake(uint256)',
  '2e17de78': 'unstake(uint256)',
  b6b55f25: 'deposit(uint256)',
  '6e553f65': 'deposit(uint256,address)',
  '617ba037': 'supply(address,uint256,address,uint16)',
  ba087652: 'redeem(uint256,address,address)',
  '3ccfd60b': 'withdraw()',
  a1903eab: 'submit(address)',
  '5c19a95c': 'delegate(address)',
};
