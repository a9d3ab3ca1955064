import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { readPercent } from '#kit/contract/money.ts';
import { units } from '../contract/frequency.ts';
import { raised } from '../contract/price-grid.ts';
import styles from './PriceGrid.module.css';

interface Props {
  heads: readonly { id: number; name: string }[];
  /** Raises the selected amounts, all, or those of a head; how many there were. */
  onRaise: (which: string, raise: (paise: number) => number) => number;
}

/** Raises several amounts by a percentage, each rounded down to whole rupees. */
export function RaisePrices({ heads, onRaise }: Props) {
  const { t } = useLingui();
  const [which, setWhich] = useState('selected');
  const [typed, setTyped] = useState('');
  const [unit, setUnit] = useState<string>('100');
  const [done, setDone] = useState<number>();
  const percent = readPercent(typed.trim().replace(/^\+/, ''));
  const isWrong = typed.trim() !== '' && percent === undefined;
  return (
    <Row gap={8} align="center" wrap>
      <Trans>Raise</Trans>
      <select
        className={classNames('box', styles.choice)}
        aria-label={t`Amounts to raise`}
        value={which}
        onChange={({ currentTarget }) => setWhich(currentTarget.value)}
      >
        <option value="selected">{t`Selected amounts`}</option>
        <option value="all">{t`All amounts`}</option>
        {heads.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <input
        className={classNames('box', styles.percent)}
        size={5}
        inputMode="decimal"
        autoComplete="off"
        aria-label={t`Rise (%)`}
        aria-invalid={isWrong}
        placeholder="+8 %"
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setDone(undefined);
        }}
      />
      <Trans>down to</Trans>
      <select
        className={classNames('box', styles.choice)}
        aria-label={t`Rounded down to (₹)`}
        value={unit}
        onChange={({ currentTarget }) => setUnit(currentTarget.value)}
      >
        {units.map((rupees) => (
          <option key={rupees} value={rupees}>
            {t`whole ₹${rupees}`}
          </option>
        ))}
      </select>
      <Button
        disabled={percent === undefined}
        onClick={() => setDone(onRaise(which, (paise) => raised(paise, percent ?? 0, Number(unit))))}
      >
        <Trans>Apply</Trans>
      </Button>
      <span role="status" className="soft">
        {isWrong ? (
          <Trans>Enter a percentage, such as 12.5.</Trans>
        ) : (
          done !== undefined && <Plural value={done} one="# amount raised" other="# amounts raised" />
        )}
      </span>
    </Row>
  );
}
