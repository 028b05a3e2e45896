declare module 's3rver' {
  /** A request, the parts of an upload one after the other, or bytes. */
  export type Content =
    | Buffer
    | (AsyncIterable<unknown> & { headers?: Record<string, string | string[] | undefined> });
  type Stored = { size: number; md5: string };
  export type Store = {
    getResourcePath(bucket: string, key: string | undefined, resource: string): string;
    putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>;
    putObject(object: {
      bucket: string;
      key: string;
      content: Content;
      metadata: object;
    }): Promise<Stored>;
    putPart(
      bucket: string,
      uploadId: string,
      part: number | string,
      content: Content,
    ): Promise<Stored>;
  };
  /** An S3 server for tests; the package has no types. */
  export default class S3rver {
    constructor(options: {
      port: number;
      address: string;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string; configs: string[] }[];
    });
    readonly store: Store;
    run(): Promise<{ address: string; port: number }>;
    close(): Promise<void>;
  }
}
