import { describe, expect, test } from 'vitest';
import * as account from '../../api/account/schema.ts';
import * as auth from '../../api/auth/schema.ts';
import * as demo from '../../api/demo/schema.ts';
import { email, maskedEmail } from '../../api/shared/email.ts';

describe('an email address', () => {
  test.each(['', ' ', '\t', '\r\n', '\u00a0', '\u2003', '\ufeff'])(
    'is one and the same with %j around it, at every sign-in',
    (space) => {
      const given = `${space}Ama.Ngo@Example.TEST${space}`;
      const password = 'Password1';
      const read = [
        email.parse(given),
        auth.sellerSignIn.parse({ email: given, password }).email,
        auth.adminSignIn.parse({ email: given, password }).email,
        auth.newAdmin.parse({ email: given, name: 'Ama', password }).email,
        auth.signUp.parse({ email: given, password, name: 'Ama', agreed: '0' }).email,
        auth.emailOnly.parse({ email: given }).email,
        auth.mailedSignIn.parse({ email: given }).email,
        account.newEmail.parse({ email: given }).email,
        demo.demoChoice.parse({ uid: 'x', email: given }),
      ];
      expect(read).toEqual([
        ...Array.from({ length: 8 }, () => 'ama.ngo@example.test'),
        { uid: 'x', email: 'ama.ngo@example.test', name: '' },
      ]);
    },
  );

  test.each([
    '\u200bama@example.test\u200b',
    '\u202aama@example.test\u202c',
    '\u2068ama@example.test\u2069',
    ' \u2060ama@example.test\u200e ',
    '<ama@example.test>',
    'Ama Ngo <ama@example.test>',
    'mailto:ama@example.test',
    'MAILTO:Ama@Example.test?subject=Bonjour',
    '<mailto:ama@example.test>',
    '\u200b<\u202aama@example.test\u202c>',
  ])('is read from what is pasted: %j', (given) => {
    expect(email.parse(given)).toBe('ama@example.test');
  });

  test('is none with white space or invisible characters inside', () => {
    for (const given of [
      '',
      'ama',
      'a ma@example.test',
      'ama@exa\u200bmple.test',
      'ama@example',
      '\u202eama@example.test',
      'ama@example.test>',
      '<ama@example.test> and others',
      'mailto:',
    ])
      expect(email.safeParse(given).success, JSON.stringify(given)).toBe(false);
  });

  test('is masked so that its owner knows it, and others learn one letter of each part', () => {
    expect(maskedEmail('marie@example.com')).toBe('m•••@e•••.com');
    expect(maskedEmail('m@e.cm')).toBe('m•••@e•••.cm');
    expect(maskedEmail('marie.ewondo@mail.example.co.uk')).toBe('m•••@m•••.uk');
  });
});
