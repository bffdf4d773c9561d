// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

/// A paymaster for tests. It pays for what its signer approved, until a time, at entry points 0.6 to 0.9.
/// Its data, after the address (0.6) or the two gas limits (0.7 to 0.9): validUntil (6 bytes), signature (65 bytes).

struct UserOperation06 {
    address sender;
    uint256 nonce;
    bytes initCode;
    bytes callData;
    uint256 callGasLimit;
    uint256 verificationGasLimit;
    uint256 preVerificationGas;
    uint256 maxFeePerGas;
    uint256 maxPriorityFeePerGas;
    bytes paymasterAndData;
    bytes signature;
}

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

contract TestPaymaster {
    address private immutable ENTRY_POINT;
    address private immutable SIGNER;

    constructor(address entryPoint, address signer) {
        ENTRY_POINT = entryPoint;
        SIGNER = signer;
    }

    function validatePaymasterUserOp(UserOperation06 calldata op, bytes32, uint256)
        external
        view
        returns (bytes memory context, uint256 validationData)
    {
        return (
            "", _check(approvalOf(op.sender, op.nonce, op.initCode, op.callData, _time(op.paymasterAndData[20:])), op.paymasterAndData[20:])
        );
    }

    function validatePaymasterUserOp(PackedUserOperation calldata op, bytes32, uint256)
        external
        view
        returns (bytes memory context, uint256 validationData)
    {
        return (
            "", _check(approvalOf(op.sender, op.nonce, op.initCode, op.callData, _time(op.paymasterAndData[52:])), op.paymasterAndData[52:])
        );
    }

    /// What the signer signs.
    function approvalOf(
        address sender,
        uint256 nonce,
        bytes calldata initCode,
        bytes calldata callData,
        uint48 validUntil
    ) public view returns (bytes32) {
        return keccak256(
            abi.encode(sender, nonce, keccak256(initCode), keccak256(callData), validUntil, block.chainid, address(this))
        );
    }

    function _time(bytes calldata data) private pure returns (uint48) {
        return uint48(bytes6(data[:6]));
    }

    function _check(bytes32 approval, bytes calldata data) private view returns (uint256) {
        require(msg.sender == ENTRY_POINT, "not the entry point");
        require(data.length == 71, "data must be 71 bytes");
        address recovered =
            ecrecover(approval, uint8(data[70]), bytes32(data[6:38]), bytes32(data[38:70]));
        uint256 failed = recovered == SIGNER ? 0 : 1;
        return failed | (uint256(_time(data)) << 160);
    }
}
