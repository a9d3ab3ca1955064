import { createAccount } from '#features/account/api.ts';
import { openOwnSchool, type Postgres, type School } from '../school.ts';
import { type App, startApp } from './app.ts';
import { begin, type Outcome } from './outcome.ts';

/** The largest difference of the median times of known and unknown targets (A9), in milliseconds. */
const apartAtMost = 10;

/** The same request for a known and for an unknown target; the number of the round is in each address. */
interface Pair {
  name: string;
  path: string;
  /** The operation's base path, if not /api/sign-in. */
  area?: string;
  known: (turn: number) => object;
  unknown: (turn: number) => object;
  /** The browser's cookies for the request; prepared before the clock starts. */
  headers?: (school: School, app: App, about: object) => Promise<Record<string, string>>;
}

const knownEmail = (turn: number) => `known${turn}@staff.example`;
const unknownEmail = (turn: number) => `nobody${turn}@staff.example`;
const knownMobile = (turn: number) => String(9_000_000_000 + turn);
const unknownMobile = (turn: number) => String(8_000_000_000 + turn);

/** A mark that was never issued. */
const madeUpMark = async () => ({ cookie: `__Host-device=${'a'.repeat(43)}` });

const wrongPassword: Pair = {
  name: 'a wrong password',
  path: 'authenticate-user',
  known: (turn) => ({ ...byPassword, UserName: `known${turn}` }),
  unknown: (turn) => ({ ...byPassword, UserName: `nobody${turn}` }),
};
const byPassword = { AuthenicateUserBy: 'UserNameNPassword', Password: 'Wrong-Bridge-48' };
const emailCode: Pair = {
  name: 'a code by e-mail',
  path: 'authenticate-user',
  known: (turn) => ({ AuthenicateUserBy: 'Email', EmailID: knownEmail(turn) }),
  unknown: (turn) => ({ AuthenicateUserBy: 'Email', EmailID: unknownEmail(turn) }),
};
const mobileCode: Pair = {
  name: 'a code by mobile',
  path: 'authenticate-user',
  known: (turn) => ({ AuthenicateUserBy: 'Mobile', MobileNo: knownMobile(turn) }),
  unknown: (turn) => ({ AuthenicateUserBy: 'Mobile', MobileNo: unknownMobile(turn) }),
};
const resetLink: Pair = {
  name: 'a link to a new password',
  path: 'reset-link',
  known: (turn) => ({ email: knownEmail(turn) }),
  unknown: (turn) => ({ email: unknownEmail(turn) }),
};
const marked = (pair: Pair): Pair => ({ ...pair, name: `${pair.name} with a made-up mark`, headers: madeUpMark });

const pairs: Pair[] = [
  wrongPassword,
  emailCode,
  mobileCode,
  resetLink,
  marked(wrongPassword),
  marked(emailCode),
  marked(mobileCode),
  {
    name: 'asking for an account',
    path: 'request',
    known: (turn) => ({ name: 'Rekha', email: knownEmail(turn), mobile: knownMobile(turn), reason: 'I teach.' }),
    unknown: (turn) => ({ name: 'Rekha', email: unknownEmail(turn), mobile: unknownMobile(turn), reason: 'I teach.' }),
  },
  {
    name: 'a wrong code',
    path: 'verify-otp',
    known: (turn) => ({ OTP: 'AAAAA', address: knownEmail(turn) }),
    unknown: (turn) => ({ OTP: 'AAAAA', address: unknownEmail(turn) }),
    headers: async (_school, app, about) => {
      const body = { AuthenicateUserBy: 'Email', EmailID: (about as { address: string }).address };
      const { headers } = await app.send({ method: 'POST', url: '/api/sign-in/authenticate-user', body });
      return { cookie: String(headers['set-cookie']).split(';')[0] ?? '' };
    },
  },
  {
    name: 'a code to a new address',
    path: 'contact/email-code',
    known: (turn) => ({ email: knownEmail(turn) }),
    unknown: (turn) => ({ email: unknownEmail(turn) }),
    headers: async (school) => {
      const { cookies } = await school.person();
      return { cookie: `__Host-session=${cookies.get('__Host-session')}` };
    },
  },
  {
    name: 'a new link to a form',
    path: 'new-link',
    area: 'admission',
    known: (turn) => ({ contact: `known${turn}@family.example` }),
    unknown: (turn) => ({ contact: `nobody${turn}@family.example` }),
  },
];

/** Alternate requests for a known and an unknown target get equal answers in equal time (A9). */
export async function knownAndUnknown(turns: number, postgres?: Postgres): Promise<Outcome> {
  const outcome = begin('known and unknown');
  const school = await openOwnSchool({}, postgres);
  const app = await startApp(school);
  try {
    for (let turn = 0; turn < turns; turn++) {
      await makeKnown(school, turn);
      await school.inquiry({ fatherEmail: `known${turn}@family.example` });
    }
    for (const pair of pairs) await compare(school, app, pair, turns, outcome);
  } finally {
    await app.kill();
    await school.close();
  }
  return outcome;
}

const makeKnown = (school: School, turn: number) =>
  createAccount(school.context(), 'Test', {
    name: `Known ${turn}`,
    userName: `known${turn}`,
    email: knownEmail(turn),
    mobile: knownMobile(turn),
    password: 'Teak-Bridge-48',
    isAdmin: true,
    isStaff: true,
  });

async function compare(school: School, app: App, pair: Pair, turns: number, outcome: Outcome) {
  const took: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  const bodies = new Set<string>();
  for (let turn = 0; turn < turns; turn++) {
    // The first target alternates, so that warming up favours neither.
    for (const who of turn % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      // Limits count per target and per address; here they would end the comparison.
      await school.sql('delete from attempt');
      const body = pair[who](turn);
      const headers = await pair.headers?.(school, app, body);
      const started = performance.now();
      const url = `/api/${pair.area ?? 'sign-in'}/${pair.path}`;
      const { status, text } = await app.send({ method: 'POST', url, body, headers });
      took[who].push(performance.now() - started);
      bodies.add(`${status} ${text}`);
      outcome.runs++;
    }
  }
  const apart = Math.abs(median(took.known) - median(took.unknown));
  if (apart > apartAtMost) outcome.late.push(`${pair.name}: ${apart.toFixed(1)} ms apart`);
  if (bodies.size !== 1) outcome.breaches.push(`${pair.name}: ${bodies.size} different answers`);
}

const median = (values: number[]) =>
  values.toSorted((value, other) => value - other)[Math.floor(values.length / 2)] ?? 0;
