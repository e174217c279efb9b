import { z } from "zod";

/** The part of the editor's secret store that keys are kept in. */
export interface SecretStore {
  get(key: string): Thenable<string | undefined>;
  store(key: string, value: string): Thenable<void>;
  delete(key: string): Thenable<void>;
}

/** LanceDB's options by their names. */
export type StorageOptions = Readonly<Record<string, string>>;

const Options = z.record(z.string().max(100), z.string().max(100_000));

/** The kinds of store that a URI may name, by its scheme, and what each wants to know. */
const FIELDS = {
  s3: [
    { name: "aws_access_key_id", prompt: "Access key id", secret: false },
    { name: "aws_secret_access_key", prompt: "Secret access key", secret: true },
    { name: "aws_region", prompt: "Region, such as eu-north-1. Empty: the store's default.", secret: false },
    { name: "aws_endpoint", prompt: "Address of the server, where it is not Amazon's.", secret: false },
  ],
  gs: [{ name: "google_service_account_key", prompt: "Service account key, as JSON", secret: true }],
  az: [
    { name: "azure_storage_account_name", prompt: "Storage account", secret: false },
    { name: "azure_storage_account_key", prompt: "Account key", secret: true },
  ],
} as const;

/** One thing to ask for. */
export interface CredentialField {
  readonly name: string;
  readonly prompt: string;
  readonly secret: boolean;
}

/** What the store of a URI wants to know; undefined for a folder, which wants nothing. */
export function credentialFields(uri: string): readonly CredentialField[] | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(uri)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(FIELDS, scheme) ? FIELDS[scheme as keyof typeof FIELDS] : undefined;
}

/** Answers as options: what was left empty is left out, and a plain address is allowed where one was given. */
export function storageOptions(answers: StorageOptions): StorageOptions {
  const given = Object.entries(answers).flatMap(([name, value]) =>
    value.trim() === "" ? [] : [[name, value.trim()] as const],
  );
  const options = Object.fromEntries(given);
  const plain = options["aws_endpoint"]?.startsWith("http://") === true;
  return plain ? { ...options, allow_http: "true" } : options;
}

/** Reads kept options; what is damaged counts as none. */
export function readStorageOptions(kept: string | undefined): StorageOptions | undefined {
  if (kept === undefined) return undefined;
  try {
    const parsed = Options.safeParse(JSON.parse(kept));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
