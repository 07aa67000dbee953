"""From a file to findable passages: acceptance, the steps of the queue, and what deletions still owe."""
