// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

/// A paymaster for tests that is paid in tokens, at entry points 0.7, 0.8 and 0.9. It pays for everything, and takes its fee in
/// postOp, after the calls. Its data, after the two gas limits, is the token's address.

struct PackedUserOperation {
    address sender;
    uint256 nonce;
    bytes initCode;
    bytes callData;
    bytes32 accountGasLimits;
    uint256 preVerificationGas;
    bytes32 gasFees;
    bytes paymasterAndData;
    bytes signature;
}

/// A token that anyone can mint.
contract FeeToken {
    string public constant symbol = "FEE";
    uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        require(allowance[from][msg.sender] >= amount, "the allowance is too low");
        allowance[from][msg.sender] -= amount;
        return _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        require(balanceOf[from] >= amount, "the balance is too low");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
        return true;
    }
}

contract TokenPaymaster {
    /// The token's smallest units for 1 ether.
    uint256 private constant RATE = 3000e6;

    address private immutable ENTRY_POINT;

    constructor(address entryPoint) {
        ENTRY_POINT = entryPoint;
    }

    function validatePaymasterUserOp(PackedUserOperation calldata op, bytes32, uint256)
        external
        view
        returns (bytes memory context, uint256 validationData)
    {
        require(msg.sender == ENTRY_POINT, "not the entry point");
        require(op.paymasterAndData.length == 72, "data must be a token");
        return (abi.encode(op.sender, address(bytes20(op.paymasterAndData[52:]))), 0);
    }

    function postOp(uint8, bytes calldata context, uint256 actualGasCost, uint256) external {
        require(msg.sender == ENTRY_POINT, "not the entry point");
        (address sender, address token) = abi.decode(context, (address, address));
        FeeToken(token).transferFrom(sender, address(this), actualGasCost * RATE / 1 ether);
    }
}
