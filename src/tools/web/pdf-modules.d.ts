declare module "pdfjs-dist/legacy/build/pdf.worker.mjs" {
  /** What pdf.js runs in place of a worker of its own when it finds it at hand. */
  export const WorkerMessageHandler: unknown;
}
