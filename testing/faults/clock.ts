import { educationAnswers } from '#database/seed/answers.ts';
import { openOwnSchool, type Postgres } from '../school.ts';
import { begin, type Outcome } from './outcome.ts';

const hour = 60 * 60 * 1000;

/**
 * The server's clock jumps back and forth by two hours (J15). Nobody is locked out, nothing expired is valid again for
 * longer than the jump, versions stay in order, and limits by the database's clock stay counted.
 */
export async function clockJumps(runs: number, postgres?: Postgres): Promise<Outcome> {
  const outcome = begin('clock jumps');
  const school = await openOwnSchool({}, postgres);
  const expect = (what: string, isSo: boolean) => {
    if (!isSo) outcome.breaches.push(what);
  };
  try {
    for (; outcome.runs < runs; outcome.runs++) {
      const [family, revoked, late] = [await school.inquiry(), await school.inquiry(), await school.inquiry()];
      await school.sql(`update admission_inquiry set link_revoked_at = now() where id = ${revoked.id}`);
      await school.sql(
        `update admission_inquiry set link_expires_at = now() - interval '3 hours' where id = ${late.id}`,
      );
      const contact = `98251${String(10_000 + outcome.runs)}`;
      const ask = () => school.send({ method: 'POST', url: '/api/admission/new-link', body: { contact } });
      for (let tries = 0; tries < 3; tries++) await ask();

      const versions: number[] = [];
      for (const jump of [0, 2, -2, 2, 0]) {
        school.clock.now = new Date(Date.now() + jump * hour);
        const answer = await family.saveAdditionalInfo();
        if (answer.status === 200) outcome.acknowledged++;
        expect(`a save was answered ${answer.status} at ${jump} hours`, answer.status === 200);
        versions.push(answer.json.data.rowVersion);
        expect(`a revoked link opened at ${jump} hours`, (await revoked.get('inquiry')).status !== 200);
        expect(`an expired link opened at ${jump} hours`, (await late.get('inquiry')).status !== 200);
        expect(`a used up limit was lifted at ${jump} hours`, (await ask()).status === 429);
        const key = { 'idempotency-key': `clock-jump-${outcome.runs}` };
        await family.post('education-history', educationAnswers, key);
      }
      expect(
        `versions were ${versions}`,
        versions.every((version, index) => version > (versions[index - 1] ?? 0)),
      );
      school.clock.now = undefined;
      const schools = (await family.get('education-history')).json.data.lstStudentAdmissionChildEducationHistoryModel;
      if (schools.length !== 1) outcome.breaches.push(`a repeated request made ${schools.length} rows`);
      expect('the link was lost', (await family.get('additional-info')).status === 200);
    }
  } finally {
    await school.close();
  }
  return outcome;
}
