/** Below this many credits the way to buy some stands beside the balance (product §9). */
export const buyBelow = 5;
