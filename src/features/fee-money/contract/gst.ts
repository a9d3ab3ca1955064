/** Half of the tax in an amount that contains it, rounded half up; both halves are equal. The rate is in hundredths of a percent. */
function halfIn(amount: number, rate: number): number {
  const whole = BigInt(10_000 + rate);
  return Number((BigInt(amount) * BigInt(rate) + whole) / (2n * whole));
}

/** CGST of a payment on a due of which something may be paid already: the halves of its parts total that of the whole. */
export const halfOfGst = (paidBefore: number, amount: number, rate: number) =>
  halfIn(paidBefore + amount, rate) - halfIn(paidBefore, rate);
