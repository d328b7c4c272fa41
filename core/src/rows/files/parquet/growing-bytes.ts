/** A byte buffer that grows as needed and reuses its memory. */
export class GrowingBytes {
  bytes: Buffer<ArrayBuffer>;
  view: DataView<ArrayBuffer>;
  end = 0;

  constructor(size = 1 << 12) {
    this.bytes = Buffer.from(new ArrayBuffer(size));
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for `size` more bytes. */
  reserve(size: number): void {
    if (this.bytes.length - this.end >= size) return;
    const larger = Buffer.from(new ArrayBuffer(Math.max(this.end + size, this.bytes.length * 2)));
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  putByte(byte: number): void {
    this.reserve(1);
    this.bytes[this.end] = byte;
    this.end += 1;
  }

  /** Appends an integer in LEB128 encoding. */
  putVarint(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.putByte((rest % 0x80) + 0x80);
    this.putByte(rest);
  }

  /** The bytes written so far; valid until more are added. */
  get used(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.end);
  }
}
