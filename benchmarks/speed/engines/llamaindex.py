"""LlamaIndex, one ``VectorStoreIndex`` a base in its default stores, and the ``BM25Retriever`` beside it.

As its documentation has it: nodes and questions bring their embeddings, so that no model is asked; the stores
are JSON files (``StorageContext.persist``) that a new process loads whole; ``SimpleVectorStore`` compares
vectors one by one. The BM25 retriever is made from the index's nodes with its defaults (English stems and
stop words), persisted and loaded too. Hybrid is ``QueryFusionRetriever`` with ``mode="reciprocal_rerank"``
over both, each with the same ``similarity_top_k``, asynchronous as in its example, and ``num_queries=1``,
which keeps it from having a language model write further questions.

The index inserts and deletes nodes; the BM25 retriever documents neither, only making it anew from all nodes.
So documents are not added and deleted here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from llama_index.core import MockEmbedding, StorageContext, VectorStoreIndex, load_index_from_storage
from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import NodeRelationship, QueryBundle, RelatedNodeInfo, TextNode
from llama_index.retrievers.bm25 import BM25Retriever

from speed.engines.model import Hit, Mode
from speed.given import Document, Given, Passage

if TYPE_CHECKING:
    from speed.engines.model import Vector

PACKAGES = ("llama-index-core", "llama-index-retrievers-bm25")


class Adapter:
    several = False

    def __init__(self, store: Path, given: Given) -> None:
        self._store = store
        self._given = given
        self._retrievers: list[dict[Mode, Any]] = []
        modes: Sequence[Mode] = ("keyword", "meaning", "hybrid")
        self.searches = {mode: partial(self._search, mode) for mode in modes}

    def build(self) -> None:
        for base, passages, vectors in self._given.by_base():
            nodes = [_node(*pair) for pair in zip(passages, vectors, strict=True)]
            index = VectorStoreIndex(nodes, embed_model=_unasked(vectors.shape[1]))
            index.storage_context.persist(self._index(base))
            BM25Retriever.from_defaults(docstore=index.docstore).persist(self._words(base))

    def open(self) -> None:
        model = _unasked(self._given.question_vectors().shape[1])
        for base in range(self._given.bases):
            storage = StorageContext.from_defaults(persist_dir=self._index(base))
            meaning = load_index_from_storage(storage, embed_model=model).as_retriever()
            keyword = BM25Retriever.from_persist_dir(self._words(base))
            hybrid = QueryFusionRetriever(
                [meaning, keyword], llm=MockLLM(), mode="reciprocal_rerank", num_queries=1, use_async=True
            )
            self._retrievers.append({"keyword": keyword, "meaning": meaning, "hybrid": hybrid})

    def _index(self, base: int) -> str:
        return str(self._store / str(base) / "index")

    def _words(self, base: int) -> str:
        return str(self._store / str(base) / "words")

    def _search(self, mode: Mode, bases: Sequence[int], question: str, vector: Vector, k: int) -> list[Hit]:
        retrievers = self._retrievers[bases[0]]
        for retriever in retrievers.values():
            retriever.similarity_top_k = k
        asked = QueryBundle(question, embedding=None if vector is None else vector.tolist())
        return [Hit(found.node_id, found.text) for found in retrievers[mode].retrieve(asked)]

    def add(self, base: int, document: Document) -> None:
        raise NotImplementedError

    def delete(self, base: int, document: Document) -> None:
        raise NotImplementedError

    def clean(self) -> bool:
        return False

    def close(self) -> None:
        pass


def _unasked(dimensions: int) -> MockEmbedding:
    """The model that an index must have; every node and question brings its vector."""
    return MockEmbedding(embed_dim=dimensions)


def _node(passage: Passage, vector: Vector) -> TextNode:
    document = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=passage.document)}
    return TextNode(id_=passage.key, text=passage.text, embedding=vector.tolist(), relationships=document)
