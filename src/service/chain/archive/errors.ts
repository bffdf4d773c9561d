/** An archive file or segment cannot be used. The message names the file, the block where there is one, and why. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';

  constructor(
    /** The file's name, without its folder; of a path that leads to no file, the path as it was given. */
    readonly file: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${file}: ${reason}`, options);
  }
}

/** Bytes that are not what their format says. Whoever knows the file and the block turns it into an ArchiveError. */
export class FormatError extends Error {
  override name = 'FormatError';
}
