import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import { FilterDay } from '#kit/browser/list/FilterDay.tsx';
import { Filters } from '#kit/browser/list/Filters.tsx';
import { translate } from '#kit/browser/text.ts';
import { ActRow, ActRows } from '#kit/browser/ui/ActRow.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import { today } from '#kit/browser/ui/show.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showMoney } from '#kit/contract/money.ts';
import { ledgerNameFields, tallyApi } from '../contract/tally.ts';

type Ledgers = OutputOf<typeof tallyApi.names>['ledgers'];

/** The vouchers of a receipt series for Tally, and the names that ledgers have there. */
export function Tally() {
  const found = useRead(tallyApi.names, {});
  return (
    <QueryBoundary query={found}>
      {({ series, ledgers }) =>
        series[0] ? (
          <>
            <Span series={series} first={series[0].id} />
            <Names ledgers={ledgers} />
          </>
        ) : (
          <EmptyState message={<Trans>No receipt series yet. Add one in Fee Master.</Trans>} />
        )
      }
    </QueryBoundary>
  );
}

function Span({ series, first }: { series: OutputOf<typeof tallyApi.names>['series']; first: number }) {
  const { t } = useLingui();
  const [seriesId, choose] = useState(first);
  const [from, setFrom] = useState(`${today().slice(0, 7)}-01`);
  const [to, setTo] = useState(today());
  const asked = { seriesId, from, to };
  const preview = useRead(tallyApi.preview, asked);
  const mayExport = useMay(tallyApi.file);
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  return (
    <>
      <Filters>
        <FilterChoice label={t`Receipt series`} value={String(seriesId)} onChange={(value) => choose(Number(value))}>
          {series.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </FilterChoice>
        <FilterDay label={t`From`} value={from} max={to} onChange={setFrom} />
        <FilterDay
          label={t`Until`}
          value={to}
          max={today()}
          onChange={(day) => {
            if (day < from) setFrom(day);
            setTo(day);
          }}
        />
      </Filters>
      {problem}
      <QueryBoundary query={preview}>
        {({ vouchers, cancelled, debit, lacks, openShifts }) => (
          <>
            <p>
              {t`${plural(vouchers, { one: '# voucher', other: '# vouchers' })}, ${plural(cancelled, { one: '# cancelled', other: '# cancelled' })}. Debits and credits: ${showMoney(debit)} each.`}
            </p>
            {openShifts > 0 && (
              <p className="soft">
                <Trans>Some shifts of these days are open. Close them first, or export again later.</Trans>
              </p>
            )}
            {lacks.length > 0 && (
              <p>
                <Trans>No Tally name yet: {lacks.map(translate).join(', ')}.</Trans>
              </p>
            )}
            {mayExport && (
              <Row mt={8}>
                <Button
                  kind="main"
                  disabled={vouchers === 0 || lacks.length > 0}
                  onClick={() => void attempt(() => download(tallyApi.file, asked, `tally-${from}-${to}.xml`))}
                >
                  <Trans>Export for Tally</Trans>
                </Button>
              </Row>
            )}
          </>
        )}
      </QueryBoundary>
    </>
  );
}

function Names({ ledgers }: { ledgers: Ledgers }) {
  const { t } = useLingui();
  const [changed, change] = useState<Ledgers[number]>();
  const mayChange = useMay(tallyApi.saveName);
  return (
    <>
      <Text as="h2" size={16} mt={16} mb={4}>
        <Trans>Names of ledgers in Tally</Trans>
      </Text>
      <ActRows>
        {ledgers.map((ledger) => (
          <ActRow
            key={ledger.key}
            title={translate(ledger.of)}
            detail={ledger.name || <Trans>No name in Tally yet</Trans>}
          >
            {mayChange && (
              <Button aria-label={t`Change the name of ${translate(ledger.of)}`} onClick={() => change(ledger)}>
                <Trans>Change</Trans>
              </Button>
            )}
          </ActRow>
        ))}
      </ActRows>
      {changed && (
        <RecordForm
          title={translate(changed.of)}
          endpoint={tallyApi.saveName}
          initial={{ name: changed.name || changed.usual }}
          hiddenValues={{ key: changed.key }}
          saved={t`Name saved.`}
          onClose={() => change(undefined)}
        >
          <FieldControls fields={ledgerNameFields} />
        </RecordForm>
      )}
    </>
  );
}
