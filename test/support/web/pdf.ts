import { deflateSync } from "node:zlib";

/** What a PDF of the tests is made of. */
export interface PdfOptions {
  /**
   * Text of each page; an empty text gives a page without a text layer. Hex digits in angle brackets are the characters
   * of a Chinese font that names a table of characters outside the file, as old files do.
   */
  readonly pages: readonly string[];
  /** Deflates the content streams, as most writers do. */
  readonly deflate?: boolean;
  /** Replaces the first page's content by this many zero bytes, deflated. */
  readonly bombBytes?: number;
}

const CHINESE =
  "<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /UniGB-UCS2-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /Song /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent 0 /CapHeight 800 /StemV 80 >> >>] >>";

/** A small, valid PDF. */
export function makePdf({ pages, deflate = true, bombBytes }: PdfOptions): Buffer {
  const objects: Buffer[] = [];
  const add = (body: string | Buffer): number => objects.push(Buffer.from(body));
  add("<< /Type /Catalog /Pages 2 0 R >>");
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  pages.forEach((text, index) => {
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R /F2 ${CHINESE} >> >> >>`,
    );
    const shown = /^<[0-9a-f]+>$/.test(text)
      ? `/F2 12 Tf 20 200 Td ${text}`
      : `/F1 12 Tf 20 200 Td (${text})`;
    const drawn = text === "" ? "0 0 300 300 re f" : `BT ${shown} Tj ET`;
    const plain = index === 0 && bombBytes !== undefined ? Buffer.alloc(bombBytes) : Buffer.from(drawn);
    const data = deflate ? deflateSync(plain) : plain;
    const filter = deflate ? " /Filter /FlateDecode" : "";
    add(
      Buffer.concat([
        Buffer.from(`<< /Length ${data.length}${filter} >>\nstream\n`),
        data,
        Buffer.from("\nendstream"),
      ]),
    );
  });
  return assemble(objects);
}

function assemble(objects: readonly Buffer[]): Buffer {
  const parts = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let length = 9;
  objects.forEach((body, index) => {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from("\nendobj\n")]);
    offsets.push(length);
    parts.push(part);
    length += part.length;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
