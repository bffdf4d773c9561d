/** An archive file or segment is unusable. The message names the file, the block if any, and the reason. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';

  constructor(
    /** The file's name without its folder; for a path that leads to no file, the path as given. */
    readonly file: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${file}: ${reason}`, options);
  }
}

/** Malformed bytes. Code that knows the file and the block converts it into an ArchiveError. */
export class FormatError extends Error {
  override name = 'FormatError';
}
