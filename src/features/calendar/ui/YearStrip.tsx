import { Trans } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { store, useStored } from '#kit/browser/ui/local-storage.ts';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { currentYearOf, workingYearName, workingYearOf, yearApi } from '../contract/year.ts';

/** Says on a page that reads by year that another year than today’s is chosen in the header, with the way back. */
export function YearStrip() {
  const { data: years = [] } = useRead(yearApi.list, {});
  const shown = workingYearOf(years, useStored(workingYearName));
  const current = currentYearOf(years);
  if (!shown || !current || shown.id === current.id) return null;
  return (
    <Notice as="div">
      <Row gap={12} align="center" wrap>
        <span>
          {shown.phase === 'Planned' ? (
            <Trans>You see {shown.name} (planned).</Trans>
          ) : shown.phase === 'Closed' ? (
            <Trans>You see {shown.name} (closed).</Trans>
          ) : (
            <Trans>You see {shown.name} (ended).</Trans>
          )}
        </span>
        <Button onClick={() => store(workingYearName, '')}>
          <Trans>Show {current.name}</Trans>
        </Button>
      </Row>
    </Notice>
  );
}
