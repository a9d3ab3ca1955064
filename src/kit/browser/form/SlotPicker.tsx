import styles from './SlotPicker.module.css';

interface Props {
  /** The group's name for the browser. */
  name: string;
  legend: string;
  slots: readonly { id: number; from: string }[];
  chosen: number | undefined;
  onChoose: (id: number) => void;
}

/** Times of a day to choose one from: native radios, each as large as a thumb. */
export const SlotPicker = ({ name, legend, slots, chosen, onChoose }: Props) => (
  <fieldset className={styles.slots}>
    <legend>{legend}</legend>
    {slots.map(({ id, from }) => (
      <label key={id}>
        <input type="radio" name={name} required checked={chosen === id} onChange={() => onChoose(id)} />
        {from}
      </label>
    ))}
  </fieldset>
);
