import { describe, expect, test } from 'vitest';
import { clientNetwork, networkOf } from '../../api/http/address.ts';
import { networksIn } from '../../api/ops/networks.ts';

describe('the network address that limits count', () => {
  test.each([
    ['1.2.3.4', '1.2.3.4'],
    [' 1.2.3.4 ', '1.2.3.4'],
    ['1.2.3.4:5678', '1.2.3.4'],
    ['127.0.0.1', '127.0.0.1'],
    // One home is one /64 network.
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['[fe80::1%25eth0]:80', 'fe80:0:0:0::/64'],
    // IPv4-mapped addresses.
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:102:304', '1.2.3.4'],
    ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4'],
    ['[::ffff:1.2.3.4]:8080', '1.2.3.4'],
    ['64:ff9b::1.2.3.4', '1.2.3.4'],
    ['::ffff:255.255.255.255', '255.255.255.255'],
  ])('of %j is %s', (text, network) => expect(networkOf(text)).toBe(network));

  test.each([
    '',
    ' ',
    'unknown',
    '_hidden',
    '1.2.3',
    '1.2.3.4.5',
    '999.1.1.1',
    '01.2.3.4x',
    '1.2.3.4:99999999',
    'example.org',
    '2001:db8::1::2',
    '[1.2.3.4]',
    '[::1',
    '::1]',
    '[::1]x',
    '%eth0',
    ':',
    'a'.repeat(8000),
    `::1%${'a'.repeat(8000)}`,
    '1.2.3.4\u0000',
    '<script>',
  ])('there is none in %j', (text) => expect(networkOf(text)).toBeUndefined());
});

describe('whose request it is', () => {
  const socket = '10.0.0.1';
  test.each([
    ['the connection’s without a header', null, true, '10.0.0.1'],
    [
      'the one that the proxy wrote, which is the last',
      '203.0.113.1, 198.51.100.7',
      true,
      '198.51.100.7',
    ],
    ['the last one also without spaces', '203.0.113.1,198.51.100.7:4711', true, '198.51.100.7'],
    ['the network of an IPv6', 'x, 2001:db8:1:2::9', true, '2001:db8:1:2::/64'],
    ['the connection’s where nobody trusts a proxy', '198.51.100.7', false, '10.0.0.1'],
    ['the connection’s when the last entry is none', '198.51.100.7, nonsense', true, '10.0.0.1'],
    ['the connection’s when the last entry is empty', '198.51.100.7,', true, '10.0.0.1'],
    [
      'the connection’s when the header is endless',
      `${'1.1.1.1,'.repeat(1000)}${'9'.repeat(9000)}`,
      true,
      '10.0.0.1',
    ],
  ])('%s', (_, forwarded, trustProxy, whose) =>
    expect(clientNetwork({ forwarded, socket, trustProxy })).toBe(whose),
  );

  const proxies = networksIn(['203.0.113.0/24', '2001:db8:c::/48', '192.0.2.1']);
  test.each([
    ['the one before a CDN', '198.51.100.7, 203.0.113.9', '198.51.100.7'],
    ['the one before two of its machines', '198.51.100.7, 203.0.113.9, 192.0.2.1', '198.51.100.7'],
    ['an IPv6 before an IPv6', '2001:db8:1:2::9, 2001:db8:c::1', '2001:db8:1:2::/64'],
    ['not a forged one', '198.51.100.9, 198.51.100.7, 203.0.113.9', '198.51.100.7'],
    ['the last one where no CDN was asked', '203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ['the CDN’s own where it asks for itself', '203.0.113.9', '203.0.113.9'],
    ['the connection’s before what is none', '198.51.100.7, nonsense, 203.0.113.9', '10.0.0.1'],
  ])('behind trusted proxies: %s', (_, forwarded, whose) => {
    expect(clientNetwork({ forwarded, socket, trustProxy: true, proxies })).toBe(whose);
    expect(clientNetwork({ forwarded, socket, trustProxy: false, proxies })).toBe('10.0.0.1');
  });

  test.each(['203.0.113.0/33', '203.0.113', 'cdn.example', '2001:db8::/129', '[::1]/64'])(
    'a list with %s is none',
    (one) => expect(networksIn(['192.0.2.1', one])).toBeUndefined(),
  );

  test('is nobody’s where there is no connection', () => {
    expect(clientNetwork({ forwarded: null, socket: undefined, trustProxy: false })).toBe(
      'unknown',
    );
  });
});
