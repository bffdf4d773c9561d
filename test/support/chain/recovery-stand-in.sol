// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

interface ISafe {
  function isOwner(address owner) external view returns (bool);
  function getOwners() external view returns (address[] memory);
  function isModuleEnabled(address module) external view returns (bool);
  function execTransactionFromModule(address to, uint256 value, bytes calldata data, uint8 operation)
    external
    returns (bool);
}

interface IVerifier {
  function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
}

/// Stands in for Candide's Social Recovery Module 0.1.0, whose bytecode no package has: the same events and rules, and
/// the functions that a client calls, written for Keystead's tests and development chain. Nobody has audited it. Never
/// use it for real accounts.
contract RecoveryStandIn {
  string public constant NAME = "Social Recovery Module";
  string public constant VERSION = "0.0.1";

  address private constant SENTINEL = address(1);
  bytes32 private constant DOMAIN =
    keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
  bytes32 private constant RECOVERY =
    keccak256("ExecuteRecovery(address wallet,address[] newOwners,uint256 newThreshold,uint256 nonce)");

  struct SignatureData {
    address signer;
    bytes signature;
  }

  struct RecoveryRequest {
    uint256 guardiansApprovalCount;
    uint256 newThreshold;
    uint64 executeAfter;
    address[] newOwners;
  }

  uint256 private immutable period;
  /// The oldest first. The views list the newest first, as the module does.
  mapping(address wallet => address[]) private lists;
  mapping(address wallet => uint256) public threshold;
  mapping(address wallet => uint256) public nonce;
  mapping(address wallet => RecoveryRequest) private requests;
  mapping(bytes32 hash => mapping(address guardian => bool)) private confirmed;

  event GuardianAdded(address indexed wallet, address indexed guardian);
  event GuardianRevoked(address indexed wallet, address indexed guardian);
  event ChangedThreshold(address indexed wallet, uint256 threshold);
  event RecoveryExecuted(
    address indexed wallet,
    address[] indexed newOwners,
    uint256 newThreshold,
    uint256 nonce,
    uint64 executeAfter,
    uint256 guardiansApprovalCount
  );
  event RecoveryFinalized(address indexed wallet, address[] indexed newOwners, uint256 newThreshold, uint256 nonce);
  event RecoveryCanceled(address indexed wallet, uint256 nonce);
  event NonceInvalidated(address indexed wallet, uint256 nonce);

  constructor(uint256 recoveryPeriod) {
    period = recoveryPeriod;
  }

  // Guardians: changed by the Safe itself, while the module is enabled.

  function addGuardianWithThreshold(address guardian, uint256 newThreshold) external {
    _onlyEnabled();
    require(newThreshold > 0, "GS: threshold cannot be 0");
    require(guardian != address(0) && guardian != SENTINEL && guardian != msg.sender, "GS: invalid guardian");
    require(!ISafe(msg.sender).isOwner(guardian), "GS: guardian cannot be an owner");
    require(!isGuardian(msg.sender, guardian), "GS: duplicate guardian");
    lists[msg.sender].push(guardian);
    emit GuardianAdded(msg.sender, guardian);
    if (threshold[msg.sender] != newThreshold) _setThreshold(newThreshold);
  }

  function revokeGuardianWithThreshold(address prevGuardian, address guardian, uint256 newThreshold) external {
    _onlyEnabled();
    address[] storage list = lists[msg.sender];
    for (uint256 at = 0; at < list.length; at++) {
      if (list[at] != guardian) continue;
      address before = at + 1 == list.length ? SENTINEL : list[at + 1];
      require(before == prevGuardian, "GS: invalid previous guardian");
      require(list.length - 1 >= newThreshold, "GS: invalid threshold");
      for (uint256 later = at + 1; later < list.length; later++) list[later - 1] = list[later];
      list.pop();
      emit GuardianRevoked(msg.sender, guardian);
      if (threshold[msg.sender] != newThreshold) _setThreshold(newThreshold);
      return;
    }
    revert("GS: invalid previous guardian");
  }

  function changeThreshold(uint256 newThreshold) external {
    _onlyEnabled();
    _setThreshold(newThreshold);
  }

  function _onlyEnabled() private view {
    require(ISafe(msg.sender).isModuleEnabled(address(this)), "GS: method only callable when module is enabled");
  }

  function _setThreshold(uint256 newThreshold) private {
    uint256 count = lists[msg.sender].length;
    require(newThreshold <= count, "GS: threshold must be lower or equal to guardians count");
    require(newThreshold > 0 || count == 0, "GS: threshold cannot be 0");
    threshold[msg.sender] = newThreshold;
    emit ChangedThreshold(msg.sender, newThreshold);
  }

  // Recovery: confirmed by guardians, begun and finalized by anyone, cancelled by the Safe.

  function confirmRecovery(address wallet, address[] calldata newOwners, uint256 newThreshold, bool execute) external {
    require(isGuardian(wallet, msg.sender), "SM: sender not a guardian");
    _checkOwners(newOwners, newThreshold);
    confirmed[getRecoveryHash(wallet, newOwners, newThreshold, nonce[wallet])][msg.sender] = true;
    if (execute) executeRecovery(wallet, newOwners, newThreshold);
  }

  function multiConfirmRecovery(
    address wallet,
    address[] calldata newOwners,
    uint256 newThreshold,
    SignatureData[] calldata signatures,
    bool execute
  ) external {
    _checkOwners(newOwners, newThreshold);
    require(signatures.length > 0, "SM: empty signatures");
    require(threshold[wallet] > 0, "SM: empty guardians");
    bytes32 hash = getRecoveryHash(wallet, newOwners, newThreshold, nonce[wallet]);
    address last;
    for (uint256 at = 0; at < signatures.length; at++) {
      address signer = signatures[at].signer;
      if (signatures[at].signature.length == 0) {
        require(isGuardian(wallet, msg.sender), "SM: sender not a guardian");
        require(signer == msg.sender, "SM: null signature should have the signer as the sender");
      } else {
        require(isGuardian(wallet, signer), "SM: Signer not a guardian");
        require(_hasSigned(signer, hash, signatures[at].signature), "SM: Invalid guardian signature");
      }
      require(signer > last, "SM: duplicate signers/invalid ordering");
      confirmed[hash][signer] = true;
      last = signer;
    }
    if (execute) executeRecovery(wallet, newOwners, newThreshold);
  }

  function executeRecovery(address wallet, address[] calldata newOwners, uint256 newThreshold) public {
    require(threshold[wallet] > 0, "SM: empty guardians");
    uint256 approvals = getRecoveryApprovals(wallet, newOwners, newThreshold);
    require(approvals >= threshold[wallet], "SM: confirmed signatures less than threshold");
    uint256 current = nonce[wallet];
    if (requests[wallet].executeAfter > 0) {
      require(approvals > requests[wallet].guardiansApprovalCount, "SM: not enough approvals for replacement");
      emit RecoveryCanceled(wallet, current - 1);
    }
    uint64 executeAfter = uint64(block.timestamp + period);
    requests[wallet] = RecoveryRequest(approvals, newThreshold, executeAfter, newOwners);
    nonce[wallet] = current + 1;
    emit RecoveryExecuted(wallet, newOwners, newThreshold, current, executeAfter, approvals);
  }

  function finalizeRecovery(address wallet) external {
    RecoveryRequest memory request = requests[wallet];
    require(request.executeAfter > 0, "SM: no ongoing recovery");
    require(block.timestamp >= request.executeAfter, "SM: recovery period still pending");
    delete requests[wallet];
    address[] memory old = ISafe(wallet).getOwners();
    for (uint256 at = old.length - 1; at > 0; at--)
      _asSafe(
        wallet,
        abi.encodeWithSignature("removeOwner(address,address,uint256)", old[at - 1], old[at], 1),
        "SM: owner removal failed"
      );
    for (uint256 at = 0; at < request.newOwners.length; at++) {
      address owner = request.newOwners[at];
      require(!isGuardian(wallet, owner), "SM: new owner cannot be guardian");
      if (at > 0)
        _asSafe(
          wallet,
          abi.encodeWithSignature("addOwnerWithThreshold(address,uint256)", owner, 1),
          "SM: owner addition failed"
        );
      else if (owner != old[0])
        _asSafe(
          wallet,
          abi.encodeWithSignature("swapOwner(address,address,address)", SENTINEL, old[0], owner),
          "SM: owner replacement failed"
        );
    }
    if (request.newThreshold > 1)
      _asSafe(
        wallet,
        abi.encodeWithSignature("changeThreshold(uint256)", request.newThreshold),
        "SM: change threshold failed"
      );
    emit RecoveryFinalized(wallet, request.newOwners, request.newThreshold, nonce[wallet] - 1);
  }

  function cancelRecovery() external {
    require(requests[msg.sender].executeAfter > 0, "SM: no ongoing recovery");
    delete requests[msg.sender];
    emit RecoveryCanceled(msg.sender, nonce[msg.sender] - 1);
  }

  function invalidateNonce() external {
    emit NonceInvalidated(msg.sender, nonce[msg.sender]++);
  }

  function _checkOwners(address[] calldata newOwners, uint256 newThreshold) private pure {
    require(newOwners.length > 0, "SM: owners cannot be empty");
    require(newThreshold > 0 && newOwners.length >= newThreshold, "SM: invalid new threshold");
  }

  function _asSafe(address wallet, bytes memory data, string memory failure) private {
    require(ISafe(wallet).execTransactionFromModule(wallet, 0, data, 0), failure);
  }

  /// A key's signature counts even if its account has code, because it is delegated (EIP-7702).
  function _hasSigned(address signer, bytes32 hash, bytes calldata signature) private view returns (bool) {
    if (_isOfKey(signer, hash, signature)) return true;
    (bool success, bytes memory answer) =
      signer.staticcall(abi.encodeCall(IVerifier.isValidSignature, (hash, signature)));
    return success && answer.length >= 32 && bytes32(answer) == bytes32(IVerifier.isValidSignature.selector);
  }

  function _isOfKey(address signer, bytes32 hash, bytes calldata signature) private pure returns (bool) {
    if (signature.length != 65) return false;
    uint8 v = uint8(signature[64]);
    bytes32 s = bytes32(signature[32:64]);
    if (uint256(s) > 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0) return false;
    return ecrecover(hash, v, bytes32(signature[:32]), s) == signer;
  }

  // Views.

  function domainSeparator() public view returns (bytes32) {
    return keccak256(
      abi.encode(DOMAIN, keccak256(bytes(NAME)), keccak256(bytes(VERSION)), block.chainid, address(this))
    );
  }

  function getRecoveryHash(address wallet, address[] calldata newOwners, uint256 newThreshold, uint256 ofNonce)
    public
    view
    returns (bytes32)
  {
    bytes32 recovery =
      keccak256(abi.encode(RECOVERY, wallet, keccak256(abi.encodePacked(newOwners)), newThreshold, ofNonce));
    return keccak256(abi.encodePacked(hex"1901", domainSeparator(), recovery));
  }

  function getRecoveryRequest(address wallet) external view returns (RecoveryRequest memory) {
    return requests[wallet];
  }

  function getRecoveryApprovals(address wallet, address[] calldata newOwners, uint256 newThreshold)
    public
    view
    returns (uint256 count)
  {
    bytes32 hash = getRecoveryHash(wallet, newOwners, newThreshold, nonce[wallet]);
    address[] storage list = lists[wallet];
    for (uint256 at = 0; at < list.length; at++) if (confirmed[hash][list[at]]) count++;
  }

  function hasGuardianApproved(address wallet, address guardian, address[] calldata newOwners, uint256 newThreshold)
    external
    view
    returns (bool)
  {
    return confirmed[getRecoveryHash(wallet, newOwners, newThreshold, nonce[wallet])][guardian];
  }

  function isGuardian(address wallet, address guardian) public view returns (bool) {
    address[] storage list = lists[wallet];
    for (uint256 at = 0; at < list.length; at++) if (list[at] == guardian) return true;
    return false;
  }

  function guardiansCount(address wallet) external view returns (uint256) {
    return lists[wallet].length;
  }

  function getGuardians(address wallet) external view returns (address[] memory list) {
    uint256 count = lists[wallet].length;
    list = new address[](count);
    for (uint256 at = 0; at < count; at++) list[at] = lists[wallet][count - 1 - at];
  }
}
