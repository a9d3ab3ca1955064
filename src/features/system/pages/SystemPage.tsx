import { Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { BreakableText } from '#kit/browser/ui/BreakableText.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { Stack } from '#kit/browser/ui/Layout.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { systemPages } from '../contract/pages.ts';
import { versionApi } from '../contract/version.ts';
import { WorkTab } from './WorkTab.tsx';

/** What runs this school: program, database, processes and upgrades; the work that failed. */
export const SystemPage = () => (
  <MastersPage page={systemPages[0]} bodies={{ version: <VersionTab />, work: <WorkTab /> }} />
);

const showGigabytes = (bytes: number) => (bytes / 1e9).toFixed(1);

function VersionTab() {
  const { t } = useLingui();
  return (
    <QueryBoundary query={useRead(versionApi.version, {})}>
      {({ version, commit, node, postgres, migration, connections: { taken, most }, disks, processes, upgrades }) => (
        <Stack gap={24}>
          <Facts
            facts={[
              { label: t`Version`, value: version },
              { label: t`Commit`, value: commit },
              { label: t`Last migration`, value: <BreakableText text={migration} /> },
              { label: t`PostgreSQL`, value: postgres },
              { label: t`Node`, value: node },
              { label: t`Connections to the database`, value: t`up to ${taken} of ${most}` },
              ...disks.map(({ name, free, total }) => {
                const [room, all] = [showGigabytes(free), showGigabytes(total)];
                return {
                  label: name === 'files' ? t`Free for files` : t`Free for backups`,
                  value: t`${room} of ${all} GB`,
                };
              }),
            ]}
          />
          <section>
            <h2>
              <Trans>Processes</Trans>
            </h2>
            <CardTable
              caption={<Trans>Processes that serve now</Trans>}
              heads={[t`Process`, t`Version`, t`Started`]}
              rows={processes.map(({ id, host, pid, startedAt, ...of }) => ({
                key: id,
                cells: [t`${pid} on ${host}`, of.version, showMoment(startedAt)],
              }))}
            />
          </section>
          <section>
            <h2>
              <Trans>Upgrades</Trans>
            </h2>
            <CardTable
              caption={<Trans>The last upgrades</Trans>}
              heads={[t`On`, t`Version`, t`Migrations`, t`Archive made before`]}
              rows={upgrades.map(({ id, at, from, to, migrations, backup }) => ({
                key: id,
                cells: [
                  showMoment(at),
                  from === '' || from === to ? to : t`${from} to ${to}`,
                  migrations,
                  backup === '' ? '–' : <BreakableText key="backup" text={backup} />,
                ],
              }))}
            />
          </section>
        </Stack>
      )}
    </QueryBoundary>
  );
}
