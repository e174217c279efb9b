import assert from "node:assert/strict";
import fc from "fast-check";
import { AddressGuard, ADDRESS_REFUSED, isPublicAddress } from "../../../src/tools/web/address-guard.ts";

const guard = new AddressGuard();

function refused(address: string): string | undefined {
  const result = guard.check(address);
  return result.ok ? undefined : result.failure.code;
}

/** What the guarded lookup of an address says when its name resolves to `answers`. */
function lookup(host: string, answers: readonly string[], allow: readonly string[] = []): Promise<string> {
  const own = new AddressGuard({
    allow,
    resolve: (_name, callback) =>
      callback(
        null,
        answers.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      ),
  });
  return new Promise((resolve) => {
    own.lookupFor(new URL(`http://${host}/`))(host, { all: true }, (error, addresses) =>
      resolve(error ? (error.code ?? "error") : JSON.stringify(addresses)),
    );
  });
}

describe("the address guard", () => {
  it("lets pages of the public internet through", () => {
    for (const address of [
      "https://example.com/a?b=c",
      "http://93.184.216.34:8080/",
      "http://[2606:4700::1111]/",
    ]) {
      assert.equal(refused(address), undefined, address);
    }
  });

  it("refuses this machine and its network however the address is written", () => {
    const hosts = [
      ...["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "0.0.0.0"],
      ...[
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "224.0.0.1",
        "198.18.0.1",
      ],
      ...[
        "[::1]",
        "[::]",
        "[fe80::1]",
        "[fc00::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:10.0.0.1]",
        "[::127.0.0.1]",
      ],
      ...["[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[2001:0:1::]", "[fec0::1]", "168.63.129.16"],
      ...["[::ffff:168.63.129.16]", "[::ffff:169.254.169.254]"],
    ];
    for (const host of hosts) assert.equal(refused(`http://${host}/`), "address_refused", host);
  });

  it("is not fooled by what stands around the host, nor by other signs for its digits", () => {
    const addresses = [
      ...[
        "http://example.com@127.0.0.1/",
        "http://127.0.0.1#@example.com/",
        "http://127.0.0.1?@example.com/",
      ],
      ...["http:127.0.0.1/", "http:\\\\127.0.0.1\\", "http://①②⑦.⓪.⓪.①/", "http://１２７.０.０.１/"],
      ...["http://127。0。0。1/", "http://0x7f.1/", "http://017700000001/", "http://127.0.0.1./"],
      ...["http://%31%32%37.0.0.1/", "http://LOCALHOST%2e/", "http://loc\talhost/"],
    ];
    for (const address of addresses) assert.equal(refused(address), "address_refused", address);
    assert.equal(refused("http://[fe80::1%25eth0]/"), "bad_input", "a zone is no part of a web address");
    assert.equal(isPublicAddress("fe80::1%eth0"), false);
  });

  it("refuses names that mean this machine or its network, with and without a dot at the end", () => {
    const hosts = ["localhost", "localhost.", "LOCALHOST", "a.localhost", "printer.local", "db.internal"];
    for (const host of [...hosts, "metadata.google.internal", "metadata.google.internal.", "nas.home.arpa"]) {
      assert.equal(refused(`http://${host}/`), "address_refused", host);
    }
  });

  it("refuses other protocols and addresses that carry a password", () => {
    for (const address of [
      "file:///etc/passwd",
      "ftp://example.com/",
      "data:text/html,x",
      "javascript:alert(1)",
    ]) {
      assert.equal(refused(address), "address_refused", address);
    }
    assert.equal(refused("http://user:secret@example.com/"), "address_refused");
    assert.equal(refused("http://user@example.com/"), "address_refused");
  });

  it("says that something is no address at all", () => {
    for (const text of ["", "example", "http://", "//example.com", "ferry times"]) {
      assert.equal(refused(text), "bad_input", text);
    }
  });

  it("refuses a public name that resolves to a private address, also among public ones", async () => {
    assert.equal(await lookup("example.com", ["10.0.0.5"]), ADDRESS_REFUSED);
    assert.equal(await lookup("example.com", ["93.184.216.34", "127.0.0.1"]), ADDRESS_REFUSED);
    assert.equal(await lookup("example.com", ["::ffff:192.168.0.1"]), ADDRESS_REFUSED);
    assert.equal(await lookup("example.com", ["168.63.129.16"]), ADDRESS_REFUSED);
    assert.match(await lookup("example.com", ["93.184.216.34"]), /93\.184\.216\.34/);
  });

  it("gives one address to a caller that asks for one", async () => {
    const own = new AddressGuard({
      resolve: (_name, callback) => callback(null, [{ address: "1.1.1.1", family: 4 }]),
    });
    const address = await new Promise((resolve) => {
      own.lookupFor(new URL("http://example.com"))("example.com", {}, (_error, first) => resolve(first));
    });
    assert.equal(address, "1.1.1.1");
  });

  it("lets the tests' own hosts through by host and port, and no other port", () => {
    const own = new AddressGuard({ allow: ["127.0.0.1:4000"] });
    assert.equal(own.check("http://127.0.0.1:4000/x").ok, true);
    assert.equal(own.check("http://127.0.0.1:4001/x").ok, false);
    assert.equal(own.check("http://127.0.0.1/x").ok, false);
  });

  it("knows every IPv4 address of the private blocks, also when it is mapped into IPv6", () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const block = fc.constantFrom(
      "10",
      "127",
      "169.254",
      "192.168",
      "172.16",
      "172.31",
      "0",
      "100.64",
      "240",
    );
    fc.assert(
      fc.property(block, byte, byte, byte, (prefix, b, c, d) => {
        const address = [...prefix.split("."), b, c, d].slice(0, 4).join(".");
        assert.equal(isPublicAddress(address), false, address);
        assert.equal(isPublicAddress(`::ffff:${address}`), false, address);
      }),
    );
  });
});
