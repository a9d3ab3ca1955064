import { createAccount } from '#features/sign-in/shared.ts';
import { openSchool, type Postgres, type School } from '../school.ts';
import { type App, startApp } from './app.ts';
import { begin, type Outcome } from './outcome.ts';

/** Known and unknown differ by no more than this in the middle of their answers (A9), in milliseconds. */
const apartAtMost = 10;

/** The same request about somebody who is known and about nobody, the number of the turn in each address. */
interface Pair {
  name: string;
  path: string;
  /** Where the operation lives, if not at /api/sign-in. */
  area?: string;
  known: (turn: number) => object;
  unknown: (turn: number) => object;
}

const byPassword = { AuthenicateUserBy: 'UserNameNPassword', Password: 'Wrong-Bridge-48' };
const pairs: Pair[] = [
  {
    name: 'a wrong password',
    path: 'authenticate-user',
    known: (turn) => ({ ...byPassword, UserName: `known${turn}` }),
    unknown: (turn) => ({ ...byPassword, UserName: `nobody${turn}` }),
  },
  {
    name: 'a code by e-mail',
    path: 'authenticate-user',
    known: (turn) => ({ AuthenicateUserBy: 'Email', EmailID: `known${turn}@staff.example` }),
    unknown: (turn) => ({ AuthenicateUserBy: 'Email', EmailID: `nobody${turn}@staff.example` }),
  },
  {
    name: 'a code by mobile',
    path: 'authenticate-user',
    known: (turn) => ({ AuthenicateUserBy: 'Mobile', MobileNo: String(9_000_000_000 + turn) }),
    unknown: (turn) => ({ AuthenicateUserBy: 'Mobile', MobileNo: String(8_000_000_000 + turn) }),
  },
  {
    name: 'a link to a new password',
    path: 'reset-link',
    known: (turn) => ({ email: `known${turn}@staff.example` }),
    unknown: (turn) => ({ email: `nobody${turn}@staff.example` }),
  },
  {
    name: 'a new link to a form',
    path: 'new-link',
    area: 'admission',
    known: (turn) => ({ contact: `known${turn}@family.example` }),
    unknown: (turn) => ({ contact: `nobody${turn}@family.example` }),
  },
];

/** Asked alternately about somebody and about nobody, the answers are alike and take as long (A9). */
export async function knownAndUnknown(turns: number, postgres?: Postgres): Promise<Outcome> {
  const outcome = begin('known and unknown');
  const school = await openSchool({}, postgres);
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
    email: `known${turn}@staff.example`,
    mobile: String(9_000_000_000 + turn),
    password: 'Teak-Bridge-48',
    isAdmin: true,
    isStaff: true,
  });

async function compare(school: School, app: App, pair: Pair, turns: number, outcome: Outcome) {
  const took: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  const bodies = new Set<string>();
  for (let turn = 0; turn < turns; turn++) {
    // Limits count per target and per address; here they would only end the comparison.
    if (turn % 2 === 0) await school.sql('delete from attempt');
    // Who is asked about first changes, so that what the first request warms up favours neither.
    for (const who of turn % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const started = performance.now();
      const { status, text } = await app.send({
        method: 'POST',
        url: `/api/${pair.area ?? 'sign-in'}/${pair.path}`,
        body: pair[who](turn),
      });
      took[who].push(performance.now() - started);
      bodies.add(`${status} ${text}`);
      outcome.runs++;
    }
  }
  const apart = Math.abs(median(took.known) - median(took.unknown));
  if (apart > apartAtMost) outcome.breaches.push(`${pair.name}: ${apart.toFixed(1)} ms apart`);
  if (bodies.size !== 1) outcome.breaches.push(`${pair.name}: ${bodies.size} different answers`);
}

const median = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
