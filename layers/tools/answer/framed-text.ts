/** Length of a frame's header: the stream, three zeros, and the length of what follows. */
const HEADER = 8;
/** Standard input, output and error, and the error of the daemon itself. */
const LAST_STREAM = 3;

/**
 * What a program wrote, without the frames in which container engines send it where it has no terminal. Output and
 * errors stay in the order in which they came.
 *
 * @param isCut - whether bytes are missing at the end: a frame that is cut in two counts as far as it came
 * @returns undefined unless all bytes are frames with something in them: zeros alone are a file
 * Source: Docker Engine API, "Attach to a container", Stream format: https://docs.docker.com/reference/api/engine/
 */
export const withoutFrames = (bytes: Uint8Array, isCut: boolean): Uint8Array | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let written: Uint8Array | undefined;
  let length = 0;
  let at = 0;
  while (at + HEADER <= bytes.length) {
    const start = view.getUint32(at);
    // The first byte is the stream, the others are zero.
    if ((start & 0xffffff) !== 0 || start >>> 24 > LAST_STREAM) return undefined;
    const end = at + HEADER + view.getUint32(at + 4);
    if (end > bytes.length && !isCut) return undefined;
    const next = Math.min(end, bytes.length);
    // In one piece: frames of a byte would each cost more than the answer may. Most files have no first frame.
    written ??= Buffer.allocUnsafe(bytes.length);
    for (let from = at + HEADER; from < next; from += 1) {
      written[length] = bytes[from] ?? 0;
      length += 1;
    }
    at = end;
  }
  const isComplete = at >= bytes.length || isCut;
  return isComplete && length > 0 ? written?.subarray(0, length) : undefined;
};
