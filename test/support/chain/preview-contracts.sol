// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

contract TestToken is ERC20Permit {
    uint8 private immutable places;

    constructor(string memory symbol, uint8 decimals_) ERC20(symbol, symbol) ERC20Permit(symbol) {
        places = decimals_;
    }

    function decimals() public view override returns (uint8) {
        return places;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// Like USDT: transfer, transferFrom and approve return nothing, and the symbol is a bytes32.
contract NoReturnToken {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    bytes32 public constant symbol = "NORET";
    uint256 public constant decimals = 6;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function transfer(address to, uint256 amount) external {
        move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    function move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

/// Keeps 3% of each transfer and logs the whole amount. Its allowances are half of what it logs.
contract FeeToken {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    string public constant symbol = "FEE";
    uint8 public constant decimals = 18;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount / 2;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount - (amount * 3) / 100;
        emit Transfer(from, to, amount);
    }
}

/// Balances are shares of a pool that grows with each transfer, of anybody's.
contract RebasingToken {
    mapping(address => uint256) public shares;
    uint256 public index = 1e18;
    string public constant symbol = "REB";
    uint8 public constant decimals = 18;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function balanceOf(address account) public view returns (uint256) {
        return (shares[account] * index) / 1e18;
    }

    function mint(address to, uint256 amount) external {
        shares[to] += (amount * 1e18) / index;
        emit Transfer(address(0), to, amount);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        uint256 part = (amount * 1e18) / index;
        shares[msg.sender] -= part;
        shares[to] += part;
        index += index / 100;
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}

/// Logs transfers and approvals that never happen, for whoever it is told to.
contract LyingToken {
    string public constant symbol = "USDC";
    uint8 public constant decimals = 6;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function balanceOf(address) external pure returns (uint256) {
        return 0;
    }

    function allowance(address, address) external pure returns (uint256) {
        return 0;
    }

    function lie(address victim, uint256 amount) external {
        emit Transfer(address(this), victim, amount);
        emit Approval(victim, address(this), amount);
    }
}

/// Names an account in many logs that it did not cause.
contract SpamToken is LyingToken {
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    function isApprovedForAll(address, address) external pure returns (bool) {
        return false;
    }

    function flood(address victim, uint256 logs) external {
        for (uint256 i; i < logs; i++) {
            address other = address(uint160((0xbad << 140) + (i % 60)));
            if (i % 4 == 0) emit Transfer(other, victim, i);
            else if (i % 4 == 1) emit Transfer(victim, other, i);
            else if (i % 4 == 2) emit Approval(victim, other, type(uint256).max);
            else emit ApprovalForAll(victim, other, true);
        }
    }
}

/// An old token: it refuses to set an allowance to 0, and lowers it.
contract OldToken is TestToken("OLD", 18) {
    function approve(address spender, uint256 amount) public override returns (bool) {
        require(amount > 0, "no zero");
        return super.approve(spender, amount);
    }

    function decreaseAllowance(address spender, uint256 amount) external returns (bool) {
        _approve(msg.sender, spender, allowance(msg.sender, spender) - amount);
        return true;
    }
}

contract TestNft is ERC721("Test Collection", "NFT") {
    function mint(address to, uint256 id) external {
        _mint(to, id);
    }

    function burn(uint256 id) external {
        _update(address(0), id, msg.sender);
    }
}

contract TestMultiToken is ERC1155("") {
    string public constant name = "Test Items";

    function mint(address to, uint256 id, uint256 amount) external {
        _mint(to, id, amount, "");
    }

    function burn(uint256 id, uint256 amount) external {
        _burn(msg.sender, id, amount);
    }
}

/// As deployed at 0xC02a…6Cc2: it logs no Transfer when it wraps and unwraps.
contract WETH9 {
    string public constant name = "Wrapped Ether";
    string public constant symbol = "WETH";
    uint8 public constant decimals = 18;

    event Approval(address indexed src, address indexed guy, uint256 wad);
    event Transfer(address indexed src, address indexed dst, uint256 wad);
    event Deposit(address indexed dst, uint256 wad);
    event Withdrawal(address indexed src, uint256 wad);

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    receive() external payable {
        deposit();
    }

    function deposit() public payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 wad) public {
        require(balanceOf[msg.sender] >= wad);
        balanceOf[msg.sender] -= wad;
        (bool sent, ) = payable(msg.sender).call{value: wad}("");
        require(sent);
        emit Withdrawal(msg.sender, wad);
    }

    function approve(address guy, uint256 wad) public returns (bool) {
        allowance[msg.sender][guy] = wad;
        emit Approval(msg.sender, guy, wad);
        return true;
    }

    function transfer(address dst, uint256 wad) public returns (bool) {
        return transferFrom(msg.sender, dst, wad);
    }

    function transferFrom(address src, address dst, uint256 wad) public returns (bool) {
        require(balanceOf[src] >= wad);
        if (src != msg.sender && allowance[src][msg.sender] != type(uint256).max) {
            require(allowance[src][msg.sender] >= wad);
            allowance[src][msg.sender] -= wad;
        }
        balanceOf[src] -= wad;
        balanceOf[dst] += wad;
        emit Transfer(src, dst, wad);
        return true;
    }
}

interface IToken {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
}

interface IPair {
    function token0() external view returns (address);
    function getReserves() external view returns (uint112, uint112, uint32);
    function swap(uint256 out0, uint256 out1, address to, bytes calldata data) external;
}

interface IWeth is IToken {
    function deposit() external payable;
    function withdraw(uint256 wad) external;
}

/// Swaps in constant-product pools of Uniswap v2, from tokens and from coins.
contract Router {
    error V2TooLittleReceived();

    receive() external payable {}

    function swap(IPair pair, address tokenIn, uint256 amountIn, uint256 least, address to) external {
        IToken(tokenIn).transferFrom(msg.sender, address(pair), amountIn);
        if (exchange(pair, tokenIn, to) < least) revert V2TooLittleReceived();
    }

    /// Wraps half of the coins, swaps them and sends the rest back.
    function swapCoins(IPair pair, IWeth weth, address to) external payable {
        uint256 used = msg.value / 2;
        weth.deposit{value: used}();
        weth.transfer(address(pair), used);
        exchange(pair, address(weth), to);
        (bool sent, ) = msg.sender.call{value: msg.value - used}("");
        require(sent, "refund failed");
    }

    /// Swaps tokens to coins.
    function swapForCoins(IPair pair, address tokenIn, uint256 amountIn, IWeth weth) external {
        IToken(tokenIn).transferFrom(msg.sender, address(pair), amountIn);
        uint256 got = exchange(pair, tokenIn, address(this));
        weth.withdraw(got);
        (bool sent, ) = msg.sender.call{value: got}("");
        require(sent, "payment failed");
    }

    function exchange(IPair pair, address tokenIn, address to) private returns (uint256 out) {
        (uint256 r0, uint256 r1, ) = pair.getReserves();
        bool isFirst = pair.token0() == tokenIn;
        (uint256 rIn, uint256 rOut) = isFirst ? (r0, r1) : (r1, r0);
        uint256 amountIn = (IToken(tokenIn).balanceOf(address(pair)) - rIn) * 997;
        out = (amountIn * rOut) / (rIn * 1000 + amountIn);
        pair.swap(isFirst ? 0 : out, isFirst ? out : 0, to, "");
    }
}

/// The allowances of Uniswap's Permit2, with its events and storage rules, without signatures.
contract MinimalPermit2 {
    struct Allowed {
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    mapping(address => mapping(address => mapping(address => Allowed))) public allowance;

    error AllowanceExpired(uint256 deadline);
    error InsufficientAllowance(uint256 amount);

    error ExcessiveInvalidation();
    error InvalidNonce();

    struct TokenSpenderPair {
        address token;
        address spender;
    }

    event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration);
    event Lockdown(address indexed owner, address token, address spender);
    event NonceInvalidation(address indexed owner, address indexed token, address indexed spender, uint48 newNonce, uint48 oldNonce);

    function lockdown(TokenSpenderPair[] calldata approvals) external {
        for (uint256 i = 0; i < approvals.length; i++) {
            allowance[msg.sender][approvals[i].token][approvals[i].spender].amount = 0;
            emit Lockdown(msg.sender, approvals[i].token, approvals[i].spender);
        }
    }

    function invalidateNonces(address token, address spender, uint48 newNonce) external {
        uint48 oldNonce = allowance[msg.sender][token][spender].nonce;
        if (newNonce <= oldNonce) revert InvalidNonce();
        if (newNonce - oldNonce > type(uint16).max) revert ExcessiveInvalidation();
        allowance[msg.sender][token][spender].nonce = newNonce;
        emit NonceInvalidation(msg.sender, token, spender, newNonce, oldNonce);
    }

    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        Allowed storage allowed = allowance[msg.sender][token][spender];
        allowed.amount = amount;
        allowed.expiration = expiration;
        emit Approval(msg.sender, token, spender, amount, expiration);
    }

    function transferFrom(address from, address to, uint160 amount, address token) external {
        Allowed storage allowed = allowance[from][token][msg.sender];
        if (block.timestamp > allowed.expiration) revert AllowanceExpired(allowed.expiration);
        if (allowed.amount < amount) revert InsufficientAllowance(allowed.amount);
        if (allowed.amount != type(uint160).max) allowed.amount -= amount;
        IToken(token).transferFrom(from, to, amount);
    }
}

/// The part of Multicall3 that batches calls with values.
contract Multicall3 {
    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3Value(Call3Value[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            (bool success, bytes memory returned) = calls[i].target.call{value: calls[i].value}(calls[i].callData);
            require(success || calls[i].allowFailure, "Multicall3: call failed");
            results[i] = Result(success, returned);
        }
    }

    function getEthBalance(address account) external view returns (uint256) {
        return account.balance;
    }
}

interface IPermit2 {
    function transferFrom(address from, address to, uint160 amount, address token) external;
}

/// Takes whatever it was allowed to.
contract Drainer {
    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    function claim(IToken token, address victim, uint256 amount) external payable {
        token.transferFrom(victim, address(this), amount);
    }

    function claimByPermit2(address token, address victim, uint160 amount) external {
        IPermit2(PERMIT2).transferFrom(victim, address(this), amount, token);
    }

    function claimPermitted(ERC20Permit token, address victim, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        token.permit(victim, address(this), type(uint256).max, type(uint256).max, v, r, s);
        token.transferFrom(victim, address(this), amount);
    }

    function claimNfts(ERC721 nft, address victim, uint256[] calldata ids) external {
        for (uint256 i; i < ids.length; i++) nft.transferFrom(victim, address(this), ids[i]);
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155Received.selector;
    }
}

/// Moves coins in the ways in which nodes' logs of them differ.
contract Coins {
    receive() external payable {}

    function refundHalf() external payable {
        (bool sent, ) = msg.sender.call{value: msg.value / 2}("");
        require(sent, "refund failed");
    }

    /// A transfer that is undone: the recipient refuses, and this goes on.
    function tryToPay(address to) external payable {
        (bool sent, ) = to.call{value: msg.value}(abi.encodeCall(this.refuse, ()));
        require(!sent, "paid");
    }

    /// Pays the caller back, and undoes it.
    function undoneRefund() external payable {
        try this.refundAndRevert(msg.sender) {} catch {}
    }

    function refundAndRevert(address to) external {
        (bool sent, ) = to.call{value: address(this).balance}("");
        require(!sent, "undo");
    }

    function refuse() external payable {
        revert("no, thanks");
    }

    /// Leaves all of its coins to the caller, without a call.
    function vanish() external payable {
        new Vanishing{value: msg.value}(payable(msg.sender));
    }
}

contract Vanishing {
    constructor(address payable heir) payable {
        selfdestruct(heir);
    }
}

/// Takes one payment for each address, behind a proxy.
contract Once {
    mapping(address => bool) public hasPaid;

    error InsufficientBalance(uint256 balance, uint256 needed);

    function pay() external payable {
        require(!hasPaid[msg.sender], "already paid");
        hasPaid[msg.sender] = true;
    }

    function fail(uint256 how) external pure {
        if (how == 0) revert();
        if (how == 1) assert(false);
        if (how == 2) revert InsufficientBalance(1, 2);
        uint256 zero = how - how;
        if (how == 3) zero = how / zero;
        uint256[] memory empty = new uint256[](zero);
        if (how == 4) zero = empty[how];
        if (how == 5) zero = zero - how;
        revert("\u202etxen");
    }
}

contract OnceProxy is ERC1967Proxy {
    /// A proxy has to be initialized by a call: this one changes nothing.
    constructor(address implementation)
        ERC1967Proxy(implementation, abi.encodeCall(Once(implementation).hasPaid, (address(0))))
    {}
}

/// Takes what it is sent. If it notices that the call is only simulated, it pays more than that back in tokens.
contract Bait {
    address private constant FORMER_READER = 0x9F1EBa1a9ce00000000000000000000000009f1e;

    uint256 private immutable height = block.number;
    uint256 private immutable start = block.timestamp;
    TestToken private immutable prize;
    bool public wasRead;

    constructor(TestToken prize_) {
        prize = prize_;
    }

    /// Pretends to be a token whose holders are looked up before the call: it notes that.
    function balanceOf(address) external returns (uint256) {
        wasRead = true;
        return 0;
    }

    function seesPreview(uint256 sign) public view returns (bool) {
        if (sign == 0) return FORMER_READER.code.length > 0;
        if (sign == 1) return tx.gasprice == 0;
        if (sign == 2) return block.basefee == 0;
        if (sign == 3) return tx.gasprice < block.basefee;
        if (sign == 4) return gasleft() > 3_000_000;
        if (sign == 5) return tx.origin == address(0) || tx.origin.code.length > 0;
        if (sign == 6) return msg.sender == address(0) || msg.sender != tx.origin;
        if (sign == 7) return block.prevrandao == 0;
        if (sign == 8) return block.number <= height || block.number > height + 100_000;
        if (sign == 9) return block.timestamp + 1 days <= start || block.timestamp > start + 30 days;
        if (sign == 10) return wasRead;
        if (sign == 11) return msg.sender.balance > 1_000_000 ether;
        if (sign == 12) return block.gaslimit > 1_000_000_000;
        if (sign == 13) return address(0).code.length > 0 || address(0).balance > 1_000_000 ether;
        if (sign == 14) return blockhash(block.number - 1) == 0;
        if (sign == 15) return block.chainid != 31337;
        for (uint160 at = 1; at < 0x200; at++) if (address(at).code.length > 0) return true;
        return false;
    }

    function claim(uint256 sign) external payable {
        emit Transfer(address(this), msg.sender, 1);
        if (seesPreview(sign)) prize.mint(msg.sender, 5_000 ether);
    }

    event Transfer(address indexed from, address indexed to, uint256 value);
}
